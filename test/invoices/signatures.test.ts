import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { checkSignature } from '#main/files/signatures'
import { inForm } from '#test/support/form'
import { makeCnpj } from '#test/support/invoices'
import { certificateFolder, signedInvoice, testRoots } from '#test/support/receipts/signed-invoices'

const roots = testRoots()
const check = (xml: string) => checkSignature(xml, { roots, maxXmlDepth: 100 })
const state = (xml: string) => {
  try {
    return check(xml).state
  } catch {
    return 'malformed'
  }
}

describe('The signature of an NF-e', () => {
  it.each(['sha1', 'sha256'] as const)('is valid with %s, and says who signed', (digest) => {
    expect(check(signedInvoice({}, { digest }))).toEqual({ state: 'valid', signer: 'CANTINA BOA MESA LTDA:11222333000181' })
  })

  it('is valid in another encoding of the same text, with a comment and in CDATA', () => {
    const xml = signedInvoice({ name: 'Padaria S&#227;o Jo&#227;o' })
    expect(state(xml)).toBe('valid')
    expect(state(xml.replace('S&#227;o', 'São').replace('<vNF>', '<vNF><!-- 999 -->'))).toBe('valid')
    expect(state(xml.replace('<vNF>210.00', '<vNF><![CDATA[210.00]]>'))).toBe('valid')
  })

  it('is not checked without a root, of a certificate that was not valid yet, may not sign, is of another company, or issued by one that may not', () => {
    const xml = signedInvoice()
    expect(checkSignature(xml, { roots: [], maxXmlDepth: 100 })).toEqual({ state: 'unchecked', reason: 'unknown_certificate' })
    expect(check(signedInvoice({ issued: '2026-01-04T13:22:10-03:00' }))).toEqual({ state: 'unchecked', reason: 'unknown_certificate' })
    expect(check(signedInvoice({ issued: '2200-01-04T13:22:10-03:00' }))).toEqual({ state: 'unchecked', reason: 'unknown_certificate' })
    expect(check(signedInvoice({}, { signer: 'wrong' }))).toEqual({ state: 'unchecked', reason: 'wrong_usage' })
    expect(check(signedInvoice({}, { signer: 'other' }))).toEqual({ state: 'unchecked', reason: 'other_signer' })
    expect(check(signedInvoice({ cnpj: makeCnpj('556667770001') }))).toEqual({ state: 'unchecked', reason: 'other_signer' })
    expect(check(signedInvoice({}, { signer: 'leafca' }))).toEqual({ state: 'unchecked', reason: 'unknown_certificate' })
    expect(check(xml.replace(/<Signature.*<\/Signature>/s, ''))).toEqual({ state: 'unchecked', reason: 'unsigned' })
  })
})

const signed = signedInvoice()
const inner = /<infNFe.*<\/infNFe>/s.exec(signed)?.[0] ?? ''
const signature = /<Signature.*<\/Signature>/s.exec(signed)?.[0] ?? ''
const forged = inner.replace('210.00', '910.00')
const otherPem = readFileSync(join(certificateFolder, 'other.pem'), 'utf8').replaceAll(/-----[A-Z ]+-----|\s/g, '')

test.each([
  ['a total', signed.replace('<vNF>210.00', '<vNF>910.00')],
  ['a space within a value', signed.replace('Cantina Boa', 'Cantina  Boa')],
  ['a comment that splits a value', signed.replace('<vNF>210.00', '<vNF>9<!-- -->10.00')],
  ['a digit as an entity', signed.replace('<vNF>210.00', '<vNF>&#57;10.00')],
  ['a forged element before the signed one', signed.replace(inner, forged + inner)],
  ['a forged element after it', signed.replace(inner, inner + forged)],
  ['a forged element of another identity before it', signed.replace(inner, forged.replace(/Id="NFe/, 'Id="XFe') + inner)],
  [
    'the signed element hidden in the signature',
    signed.replace(inner, forged).replace('</Signature>', `<Object>${inner}</Object></Signature>`),
  ],
  ['the signed element hidden in the authorization', signed.replace(inner, forged).replace('</nfeProc>', `<x>${inner}</x></nfeProc>`)],
  ['the identity moved', signed.replace(inner, forged.replace(/Id="NFe(\d+)"/, 'Id="other"') + `<y Id="NFe0">${inner}</y>`)],
  ['an identity in lower case', signed.replace('<ide>', `<ide id="${/Id="(NFe\d+)"/.exec(signed)?.[1] ?? ''}">`)],
  ['a second signature', signed.replace(signature, signature + signature)],
  ['a second signature elsewhere', signed.replace('</nfeProc>', `${signature}</nfeProc>`)],
  ['a second document', signed.replace('</NFe>', `</NFe><NFe>${forged}</NFe>`)],
  ['a document before it', signed.replace('<NFe>', `<NFe>${forged}</NFe><NFe>`)],
  ['another digest', signed.replace(/<DigestValue>.{4}/, '<DigestValue>AAAA')],
  ['two digests', signed.replace('<DigestValue>', '<DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</DigestValue><DigestValue>')],
  ['a comment in the digest', signed.replace('<vNF>210.00', '<vNF>910.00').replace('<DigestValue>', '<DigestValue><!-- x -->')],
  ['a second reference', signed.replace('</Reference>', '</Reference><Reference URI=""/>')],
  ['a reference to the whole file', signed.replace(/URI="#NFe\d+"/, 'URI=""')],
  ['an algorithm with a shared secret', signed.replace('xmldsig#rsa-sha1', 'xmldsig#hmac-sha1')],
  [
    'a transform more',
    signed.replace('</Transforms>', '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></Transforms>'),
  ],
  ['another certificate', signed.replace(/<X509Certificate>[^<]+/, `<X509Certificate>${otherPem}`)],
  ['the authorization of another file', signed.replace('<cStat>', '<digVal>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</digVal><cStat>')],
  ['a document type', signed.replace('<nfeProc', '<!DOCTYPE x [<!ENTITY t "910.00">]><nfeProc').replace('<vNF>210.00', '<vNF>&t;')],
  ['a prefix of another namespace', signed.replace('<vNF>210.00</vNF>', '<z:vNF xmlns:z="urn:z">910.00</z:vNF><vNF>210.00</vNF>')],
  ['a processing instruction', signed.replace('<vNF>', '<?x y?><vNF>')],
])('With %s changed, the signature is not valid', (_what, xml) => {
  expect(xml).not.toBe(signed)
  expect(state(xml)).not.toBe('valid')
})

test('a changed value is called altered', () => {
  expect(check(signed.replace('<vNF>210.00', '<vNF>910.00'))).toEqual({ state: 'altered', reason: 'digest' })
  expect(check(signed.replace(inner, inner + forged))).toEqual({ state: 'altered', reason: 'wrapped' })
})

/** Where values are that Outlay reads: every digit and letter between two tags of the signed element. */
const places = [...inner.matchAll(/>([^<]+)</g)].flatMap(({ index, 1: text = '' }) =>
  text.trim() === '' ? [] : Array.from(text, (_, at) => signed.indexOf(inner) + index + 1 + at),
)

test('a file with any characters changed, put in or taken out is never valid unless it says the same', () => {
  const change = fc.record({
    place: fc.nat(places.length - 1),
    kind: fc.constantFrom('replace', 'insert', 'delete', 'duplicate'),
    character: fc.constantFrom(...'0123456789.ABCabc- é'),
  })
  const numRuns = Number(process.env.OUTLAY_ALTERED ?? inForm(30, 120))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const xml = changes.reduce((text, { place, kind, character }) => {
        const at = places[place] ?? 0
        const [before, here, after] = [text.slice(0, at), text[at] ?? '', text.slice(at + 1)]
        return before + { replace: character, insert: here + character, delete: '', duplicate: here + here }[kind as 'insert'] + after
      }, signed)
      const strip = (text: string) => text.replaceAll(/>\s+|\s+</g, (found) => found.trim())
      fc.pre(strip(xml) !== strip(signed))
      expect(state(xml)).not.toBe('valid')
    }),
    { numRuns },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readInvoice } from '#shared/invoices/read-invoice'
import { HasDoctype, readXml } from '#shared/invoices/read-xml'
import { toLines } from '#shared/invoices/xml-tree'
import {
  type InvoiceParts,
  cancellation,
  goodsInvoice,
  makeCnpj,
  makeKey,
  makeServiceKey,
  municipalService,
  nationalService,
  transportInvoice,
} from '#test/support/invoices'

const limits = { maxXmlDepth: 100 }
const read = (xml: string | Uint8Array) => {
  const root = readXml(typeof xml === 'string' ? Buffer.from(xml) : xml, limits)
  return root && readInvoice(root)
}

describe('an invoice', () => {
  test('NF-e: the issuer, not the recipient, and the amount to pay', () => {
    expect(read(goodsInvoice())).toEqual({
      kind: 'nfe',
      currency: 'BRL',
      supplier: 'Cantina Boa Mesa Ltda',
      trade_name: undefined,
      tax_id: '11222333000181',
      town: 'Campinas, SP',
      buyer_tax_id: makeCnpj('998887770001'),
      number: '4512',
      series: '1',
      issued_on: '2026-01-04',
      total_minor: 21_000,
      access_key: makeKey(),
      verification_code: undefined,
      key: makeKey(),
      doubts: [],
    })
  })

  test('NFC-e, CT-e and CT-e OS are recognized, and none of them raises a doubt', () => {
    expect(read(goodsInvoice({ model: '65' }))).toMatchObject({ kind: 'nfce', doubts: [] })
    expect(read(transportInvoice())).toMatchObject({ kind: 'cte', total_minor: 8840, number: '4512', doubts: [] })
    expect(read(transportInvoice({ model: '67' }))).toMatchObject({ kind: 'cte', doubts: [] })
  })

  test('the buyer: who pays for a transport or a service, by CNPJ or CPF', () => {
    const buyers = [
      transportInvoice()
        .replace('<tpAmb>', '<toma3><toma>3</toma></toma3><tpAmb>')
        .replace('<vPrest>', '<dest><CPF>52998224725</CPF></dest><vPrest>'),
      transportInvoice().replace('<tpAmb>', '<toma4><toma>4</toma><CNPJ>52998224725</CNPJ></toma4><tpAmb>'),
      transportInvoice({ model: '67' }).replace('<vPrest>', '<toma><CPF>52998224725</CPF></toma><vPrest>'),
      nationalService().replace('<tpAmb>', '<toma><CPF>52998224725</CPF></toma><tpAmb>'),
      municipalService().replace(
        '</PrestadorServico>',
        '</PrestadorServico><TomadorServico><IdentificacaoTomador><CpfCnpj><Cpf>52998224725</Cpf></CpfCnpj></IdentificacaoTomador></TomadorServico>',
      ),
    ]
    for (const xml of buyers) expect(read(xml)).toMatchObject({ buyer_tax_id: '52998224725', doubts: [] })
    expect(read(transportInvoice())?.buyer_tax_id).toBeUndefined()
  })

  test('a company with letters in its CNPJ, and a person with a CPF', () => {
    expect(read(goodsInvoice({ cnpj: makeCnpj('12ABC34501DE') }))).toMatchObject({ tax_id: '12ABC34501DE35', doubts: [] })
    expect(read(goodsInvoice({ cnpj: '52998224725', series: '920' }))).toMatchObject({ tax_id: '52998224725', doubts: [] })
  })

  test('the day is in the time zone of the place of issue', () => {
    expect(read(goodsInvoice({ issued: '2026-01-31T23:50:00-03:00' }))).toMatchObject({ issued_on: '2026-01-31', doubts: [] })
  })

  test('national NFS-e: the net amount and the key of 50 characters', () => {
    expect(read(nationalService())).toMatchObject({
      kind: 'nfse',
      number: '9',
      total_minor: 48_000,
      issued_on: '2026-01-03',
      key: makeServiceKey(),
      doubts: [],
    })
  })

  test.each(['', 'ns2:', 'nfse:'])('NFS-e of a town, with the prefix "%s": known by issuer, number and code', (prefix) => {
    expect(read(municipalService({}, prefix))).toEqual({
      kind: 'nfse',
      currency: 'BRL',
      supplier: 'Oficina Dois Irmãos Ltda',
      trade_name: undefined,
      tax_id: '11222333000181',
      town: undefined,
      number: '1203',
      series: undefined,
      issued_on: '2026-01-03',
      total_minor: 15_000,
      access_key: undefined,
      verification_code: 'AB12-CD34',
      key: 'NFS-e 3509502 11222333000181 1203 AB12-CD34',
      doubts: [],
    })
  })

  test('in ISO-8859-1, in UTF-8 with a mark, and in UTF-16', () => {
    const name = 'Padaria São João & Irmãos'
    const xml = goodsInvoice({ name: name.replace('&', '&amp;'), encoding: 'ISO-8859-1' })
    expect(read(Buffer.from(xml, 'latin1'))).toMatchObject({ supplier: name, doubts: [] })
    const marked = Buffer.from(`\ufeff${goodsInvoice()}`)
    expect(read(marked)).toMatchObject({ number: '4512' })
    expect(read(Buffer.from(`\ufeff${goodsInvoice({ encoding: 'UTF-16' })}`, 'utf16le'))).toMatchObject({ number: '4512' })
  })
})

describe('contradictions are reported', () => {
  const otherCnpj = makeCnpj('998887770001')
  const own = makeKey()
  const wrongDigit = own.slice(0, -1) + String((Number(own.at(-1)) + 1) % 10)
  test.each<[string, InvoiceParts, string[]]>([
    ['a wrong check digit', { key: wrongDigit }, ['check_digit']],
    ['another issuer', { key: makeKey({ cnpj: otherCnpj }) }, ['tax_id']],
    ['another number', { key: makeKey({ number: '4513' }) }, ['number']],
    ['another series', { key: makeKey({ series: '2' }) }, ['series']],
    ['another model', { key: makeKey({ model: '65' }) }, ['model']],
    ['another month', { key: makeKey({ issued: '2026-02-04' }) }, ['month']],
    ['no key', { key: '123' }, ['no_key', 'other_protocol']],
    ['an issuer that cannot be', { cnpj: '11222333000182' }, ['tax_id_digits']],
    ['a test', { environment: '2' }, ['test']],
    ['a refusal', { status: '302' }, ['unauthorized']],
    ['no authorization', { status: null }, ['unauthorized']],
    ['a cancelled one', { status: '101' }, ['cancelled']],
    ['no total', { total: '' }, ['total']],
  ])('%s', (_name, parts, doubts) => {
    expect(read(goodsInvoice(parts))).toMatchObject({ kind: 'nfe', doubts })
  })

  test('an authorization of another invoice', () => {
    const xml = goodsInvoice().replace(`<chNFe>${own}`, `<chNFe>${makeKey({ number: '1' })}`)
    expect(read(xml)).toMatchObject({ doubts: ['other_protocol'] })
  })

  test('an invoice that a tax authority issued for a seller has the authority in its key', () => {
    const parts = { series: '890' }
    expect(read(goodsInvoice({ ...parts, key: makeKey({ ...parts, cnpj: otherCnpj }) }))).toMatchObject({ doubts: [] })
  })
})

test('an amount is read exactly or not at all', () => {
  const totalOf = (total: string) => read(goodsInvoice({ total }))?.total_minor
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000_000_000_000 }), (centavos) => {
      const digits = String(centavos).padStart(3, '0')
      expect(totalOf(`${digits.slice(0, -2)}.${digits.slice(-2)}`)).toBe(centavos)
    }),
  )
  expect(totalOf('150')).toBe(15_000)
  expect(totalOf('150.0000')).toBe(15_000)
  for (const none of ['150.005', '1e3', '-1.00', '1.234,56', '1,50', 'abc', '9'.repeat(40)]) expect(totalOf(none)).toBeUndefined()
})

describe('files that are not invoices', () => {
  test('any other XML, the event that cancels an invoice, and a list of several', () => {
    const one = municipalService().replace(/^<\?xml.*?\?>/, '')
    for (const xml of ['<catalog><item>1</item></catalog>', cancellation(), `<ListaNfse>${one}${one}</ListaNfse>`, '<NFe><other/></NFe>'])
      expect(read(xml)).toBeUndefined()
    expect(read(`<ListaNfse>${one}</ListaNfse>`)).toMatchObject({ kind: 'nfse', doubts: [] })
  })

  test('a document type declaration is rejected before its entities are read, and so is too deep nesting', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><a>&b;</a>'
    expect(() => read(bomb)).toThrow(HasDoctype)
    expect(() => read('<a>'.repeat(101) + '</a>'.repeat(101))).toThrow('Nested too deep')
  })

  test('a document of a hundred thousand elements and more is well-formed, and no more is known', () => {
    expect(readXml(Buffer.from(`<a>${'<b/>'.repeat(100_001)}</a>`), limits)).toBeUndefined()
  })
})

test('a truncated invoice is malformed; one with any byte changed is read or rejected, never read in part', () => {
  const files = [goodsInvoice(), transportInvoice(), nationalService(), municipalService({}, 'ns2:')].map((xml) => Buffer.from(xml))
  const file = fc.constantFrom(...files)
  fc.assert(
    fc.property(file, fc.nat(), (bytes, at) => {
      expect(() => read(bytes.subarray(0, at % (bytes.length - 1)))).toThrow()
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(file, fc.nat(), fc.integer({ min: 0, max: 255 }), (bytes, at, value) => {
      const changed = Buffer.from(bytes)
      changed[at % changed.length] = value
      try {
        const invoice = read(changed)
        if (invoice?.total_minor !== undefined) expect(Number.isSafeInteger(invoice.total_minor)).toBe(true)
        if (invoice?.access_key !== undefined) expect(invoice.access_key).toMatch(/^[A-Z0-9]{44}([A-Z0-9]{6})?$/)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a document is laid out line by line, up to a limit', () => {
  const root = readXml(Buffer.from('<a x="1"><b>text</b><c><d/></c></a>'), limits)
  expect(root && toLines(root, 10)).toEqual([
    { depth: 0, name: 'a', attributes: 'x="1"', text: '' },
    { depth: 1, name: 'b', attributes: '', text: 'text' },
    { depth: 1, name: 'c', attributes: '', text: '' },
    { depth: 2, name: 'd', attributes: '', text: '' },
  ])
  expect(root && toLines(root, 2)).toHaveLength(2)
})

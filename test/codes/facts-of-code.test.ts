import { describe, expect, it } from 'vitest'
import { factsOfCode, factsOfCodes } from '#shared/codes/facts-of-code'
import { checkDigitOf } from '#shared/domain/modulo-11'
import { readingsOfCodes, withCodes } from '#shared/readings/readings-of-codes'
import { makeCnpj, makeKey, makeServiceKey } from '#test/support/invoices'

const cnpj = makeCnpj('112223330001')
const key = makeKey({ model: '65', number: '4512' })
const keyed = { document: 'nfce', key, tax_id: cnpj, month: '2026-01', number: '4512', currency: 'BRL' }
const site = 'https://www.nfce.fazenda.sp.gov.br/qrcode'
const hash = 'A1B2C3D4E5F60718293A4B5C6D7E8F9012345678'
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex')
const qr = (text: string) => factsOfCode(text, 'QRCode')

describe('The code of an NFC-e', () => {
  it('says month, number and issuer, and nothing more where it was made with a connection', () => {
    for (const text of [
      `${site}?p=${key}|2|1|1|${hash}`,
      `${site}?p=${key}%7C2%7C1%7C1%7C${hash}`,
      `${site}?p=${key}|3|1`,
      `${site}?chNFe=${key}|2|1|1|${hash}`,
    ])
      expect(qr(text)).toEqual({ ...keyed, issued_on: undefined, time: undefined, total_minor: undefined, buyer_tax_id: undefined })
  })

  it('says day and total too where it was made without one', () => {
    const more = { issued_on: '2026-01-04', total_minor: 6090 }
    expect(qr(`${site}?p=${key}|2|1|04|60.90|${hex('digest')}|1|${hash}`)).toMatchObject({ ...keyed, ...more })
    expect(qr(`${site}?p=${key}|3|1|04|60.90|2|52998224725|c2lnbmF0dXJl`)).toMatchObject({ ...keyed, ...more, buyer_tax_id: '52998224725' })
    expect(qr(`${site}?p=${key}|3|1|04|60.90|||c2lnbmF0dXJl`)).toMatchObject({ ...keyed, ...more, buyer_tax_id: undefined })
  })

  it('says instant and total in its first version', () => {
    const address = `${site}?chNFe=${key}&nVersao=100&tpAmb=1&cDest=52998224725&dhEmi=${hex('2026-01-04T13:22:10-03:00')}&vNF=210.00&vICMS=12.75&digVal=${hex('x')}&cIdToken=000001&cHashQRCode=${hash}`
    expect(qr(address)).toMatchObject({ ...keyed, issued_on: '2026-01-04', time: '13:22', total_minor: 21000, buyer_tax_id: '52998224725' })
  })

  it('is not believed where it contradicts itself, is a test, or cannot be', () => {
    const wrong = key.slice(0, -1) + String((Number(key.at(-1)) + 1) % 10)
    const badIssuer = `3526010000000000019965001000004512${'110045127'}`
    const bad = badIssuer + checkDigitOf(badIssuer)
    for (const text of [
      `${site}?p=${wrong}|2|1|1|${hash}`,
      `${site}?p=${key}|2|2|1|${hash}`,
      `${site}?p=${key}|2|1|32|60.90|ab|1|${hash}`,
      `${site}?p=${key}|2|1|04|60.905|ab|1|${hash}`,
      `${site}?p=${key}|9|1`,
      `${site}?p=${bad}|3|1`,
      `${site}?p=${key}|3|1&p=${makeKey({ model: '65', number: '9' })}|3|1`,
      `${site}?chNFe=${key}&nVersao=100&tpAmb=1&dhEmi=${hex('2026-02-04T13:22:10-03:00')}&vNF=210.00`,
      'https://example.com/menu',
      'x'.repeat(5000),
    ])
      expect(qr(text), text).toBeUndefined()
  })
})

describe('Other Brazilian codes', () => {
  const base = `352601${cnpj}59000123456004512` + '123456'
  const sat = base + checkDigitOf(base)

  it('read a SAT receipt whole', () => {
    expect(qr(`${sat}|20260104132210|98.70||${'A'.repeat(344)}`)).toMatchObject({
      ...{ document: 'sat', key: sat, tax_id: cnpj, number: '4512', issued_on: '2026-01-04', time: '13:22', total_minor: 9870 },
    })
    expect(qr(`${sat}|20260204132210|98.70||${'A'.repeat(344)}`)).toBeUndefined()
  })

  it('read the key of bars, whole or in two halves, in any order', () => {
    expect(factsOfCode(makeKey(), 'Code128')).toMatchObject({ document: 'nfe', number: '4512' })
    const halves = [sat.slice(22), sat.slice(0, 22)].map((text) => ({ text, format: 'Code128' as const }))
    expect(factsOfCodes(halves).map(({ facts }) => facts.key)).toEqual([sat])
  })

  it('read keys whose CNPJ has letters', () => {
    const lettered = makeCnpj('12ABC34501DE')
    expect(factsOfCode(makeKey({ cnpj: lettered }), 'Code128')).toMatchObject({ tax_id: lettered })
  })

  it('read the seller of a person, and none where the authority itself issued', () => {
    expect(factsOfCode(makeKey({ cnpj: '52998224725', series: '920' }), 'Code128')).toMatchObject({ tax_id: '52998224725' })
    expect(factsOfCode(makeKey({ series: '890' }), 'Code128')).toMatchObject({ tax_id: undefined })
  })

  it('read freight, tickets, bills and services; a manifest is none', () => {
    const at = (name: string, model: string) => qr(`https://dfe.example.gov.br/qr?${name}=${makeKey({ model })}&tpAmb=1`)
    expect([at('chCTe', '57'), at('chBPe', '63'), at('chNF3e', '66')].map((facts) => facts?.document)).toEqual(['cte', 'ticket', 'utility'])
    expect(at('chMDFe', '58')).toBeUndefined()
    expect(qr(`https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${makeServiceKey()}`)).toMatchObject({
      document: 'nfse',
      month: '2026-01',
    })
  })
})

describe('The code of a Portuguese invoice', () => {
  const parts = {
    A: '501442600',
    B: '999999990',
    C: 'PT',
    D: 'FS',
    E: 'N',
    F: '20260104',
    G: 'FS CDVF/12345',
    H: 'CDF7T5HD-12345',
    I1: 'PT',
    I7: '10.00',
    I8: '2.30',
    N: '2.30',
    O: '12.30',
    Q: 'TTTT',
    R: '9999',
  }
  const write = (changed: object) =>
    Object.entries({ ...parts, ...changed })
      .map(([name, value]) => `${name}:${String(value)}`)
      .join('*')

  it('says everything', () => {
    expect(qr(write({}))).toEqual({
      ...{ document: 'pt', key: 'PT 501442600 FS CDVF/12345', tax_id: '501442600', month: '2026-01', number: 'FS CDVF/12345' },
      ...{ currency: 'EUR', issued_on: '2026-01-04', time: undefined, total_minor: 1230, buyer_tax_id: undefined },
    })
    expect(qr(write({ B: '503504564' }))).toMatchObject({ buyer_tax_id: '503504564' })
  })

  it.each([{ A: '501442601' }, { E: 'A' }, { D: 'NC' }, { D: 'GT' }, { F: '20260230' }, { O: '12.3x' }, { G: '' }, { 'O:1*O': '9.99' }])(
    'is not believed with %o',
    (changed) => {
      expect(qr(write(changed))).toBeUndefined()
    },
  )
})

it('Codes of one document become exact readings, those of several none', () => {
  const place = { page: 0, x: 0.1, y: 0.8, width: 0.2, height: 0.1 }
  const online = { text: `${site}?p=${key}|3|1`, format: 'QRCode' as const, place }
  const bars = { text: key, format: 'Code128' as const, place }
  expect(readingsOfCodes([bars, online]).map(({ field, value }) => [field, value])).toEqual([
    ['currency', 'BRL'],
    ['supplier_tax_id', cnpj],
    ['document_number', '4512'],
  ])
  expect(readingsOfCodes([online, { ...bars, text: makeKey({ model: '65', number: '9' }) }])).toEqual([])
})

it('What a code says goes before what was read, and its month doubts a date', () => {
  const place = { page: 0, x: 0.1, y: 0.8, width: 0.2, height: 0.1 }
  const offline = { text: `${site}?p=${key}|3|1`, format: 'QRCode' as const, place }
  const read = (field: 'date' | 'total' | 'supplier_tax_id', value: string) => ({
    field,
    value,
    probability: 0.9,
    source: 'pixels' as const,
  })
  const merged = withCodes(
    [offline],
    [read('date', '2025-01-04'), read('date', '2026-01-04'), read('total', '6090'), read('supplier_tax_id', '11222333000199')],
  )
  expect(merged.slice(3).map(({ value, probability }) => [value, probability])).toEqual([
    ['2025-01-04', 0.01],
    ['2026-01-04', 0.9],
    ['6090', 0.9],
  ])
  expect(merged.find(({ field }) => field === 'supplier_tax_id')).toMatchObject({ value: cnpj, source: 'code', probability: 1 })
})

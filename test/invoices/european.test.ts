import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInspector, type Inspector } from '#main/files/inspect'
import { readInvoice } from '#shared/invoices/read-invoice'
import { readXml } from '#shared/invoices/read-xml'
import { ciiInvoice, ublInvoice } from '#test/support/receipts/european-invoices'

const read = (xml: string) => {
  const root = readXml(Buffer.from(xml), { maxXmlDepth: 100 })
  return root && readInvoice(root)
}

describe.each([
  ['CII', ciiInvoice, undefined],
  ['UBL', ublInvoice, 'Adler'],
] as const)('An invoice of EN 16931 as %s', (_syntax, make, trade_name) => {
  it('says seller, buyer, number, day, and the total with tax', () => {
    expect(read(make())).toEqual({
      ...{ kind: 'en16931', supplier: 'Hotel Adler GmbH', trade_name, tax_id: 'DE123456789', town: 'Berlin', buyer_tax_id: 'DE987654321' },
      ...{ number: 'RE-2026/77', series: undefined, issued_on: '2026-01-04', total_minor: 11_900, currency: 'EUR', doubts: [] },
      ...{ key: 'EN DE123456789 RE-2026/77', access_key: undefined, verification_code: undefined },
    })
  })

  it('costs its total with the rounding', () => {
    expect(read(make({ total: '25.48', rounding: '-0.01' }))).toMatchObject({ total_minor: 2547, doubts: [] })
    expect(read(make({ total: '25.48', rounding: '0.02' }))).toMatchObject({ total_minor: 2550 })
    expect(read(make({ total: '25.48', rounding: 'down' }))).toMatchObject({ total_minor: undefined, doubts: ['total'] })
  })

  it('is no invoice as a credit note, and says no total that is none', () => {
    expect(read(make({ type: '381' }))).toBeUndefined()
    for (const wrong of [{ total: '119.005' }, { total: '-119.00' }, { currency: 'XXQ' }, { total: 'all' }])
      expect(read(make(wrong))).toMatchObject({ total_minor: undefined, doubts: ['total'] })
    expect(read(make({ currency: 'JPY', total: '119' }))).toMatchObject({ total_minor: 119, currency: 'JPY' })
  })
})

describe('A PDF with an invoice inside', () => {
  let folder: string
  let inspector: Inspector
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outlay-factur-'))
    inspector = createInspector({ processes: 1 })
  })
  afterAll(async () => {
    await inspector.close()
    await rm(folder, { recursive: true, force: true })
  })
  const inspect = async (attached: Readonly<Record<string, string>>) => {
    const document = await PDFDocument.create()
    document.addPage()
    for (const [name, text] of Object.entries(attached)) await document.attach(Buffer.from(text), name, { mimeType: 'text/xml' })
    const path = join(folder, 'invoice.pdf')
    await writeFile(path, await document.save())
    return inspector.inspect({ path, content_type: 'application/pdf' })
  }

  it('is read like an XML file', async () => {
    expect(await inspect({ 'factur-x.xml': ciiInvoice() })).toMatchObject({
      kind: 'ok',
      invoice: { key: 'EN DE123456789 RE-2026/77', total_minor: 11_900, currency: 'EUR', issued_on: '2026-01-04' },
    })
  })

  it('is a PDF like others where what is attached is hostile, or no invoice', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>`
    const deep = '<a>'.repeat(200) + '</a>'.repeat(200)
    for (const text of [bomb, deep, '<broken', '<other/>'])
      expect(await inspect({ 'factur-x.xml': text })).toEqual({ kind: 'ok', pages: 1 })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { factsOfCodes } from '#shared/codes/facts-of-code'
import { parseLayout } from '#shared/domain/exports/layout'
import { toBooks, findRate } from '#shared/domain/reports/rate-table'
import { readRates, toSheets } from '#shared/domain/reports/rate-sheets'
import { readFields } from '#shared/readings/read-fields'
import type { TextLine } from '#shared/readings/text-line'
import { splitMail } from '#main/files/mail-files'
import { checkSignature } from '#main/files/signatures'
import { inspectXml } from '#main/files/xml-files'
import { readJsonBody } from '#main/http/server/json-body'
import { planImport } from '#main/tables/plan-import'
import { bytesSource } from '#main/tables/table-source'
import { goodsInvoice } from '#test/support/invoices'
import { type Reader, type Work, attempt, dayOf, times } from './growth'

function table(text: string): Work {
  const source = bytesSource(Buffer.from(text))
  const work = () => {
    for (const _ of planImport(source).rows());
  }
  return () => attempt(work)
}
const expenses = (rows: readonly string[]) => table(`Name,Date,Amount,Description,Tags\n${rows.join('\n')}\n`)
const head = 'Name,Date,Amount'
const row = 'Ada,2026-03-04,5.00'

const tables: Reader[] = [
  { name: 'table, equal rows', prepare: (count) => expenses(times(count, () => `${row},Coffee,a`)) },
  {
    name: 'table, sorted rows',
    prepare: (count) => expenses(times(count, (index) => `Ada ${index},${dayOf(index)},${index + 1}.00,Shop ${index},a${index}`)),
  },
  {
    name: 'table, many columns',
    prepare: (count) => table(`${head},${times(count, (index) => `c${index}`).join()}\n${`${row}${',a'.repeat(count)}\n`.repeat(3)}`),
  },
  {
    name: 'table, many columns of one name',
    prepare: (count) => table(`${head}${',c'.repeat(count)}\n${`${row}${',a'.repeat(count)}\n`.repeat(3)}`),
  },
  {
    name: 'table, many columns that could be the day',
    prepare: (count) => table(`${times(count, (index) => `date ${index}`).join()}\n${'2026-03-04,'.repeat(count - 1)}1\n`),
  },
  {
    name: 'table, many tags in a cell',
    prepare: (count) => expenses([`${row},Coffee,"${times(count, (index) => `t${index}`).join()}"`]),
    most: 10_000,
  },
  { name: 'table, unclosed quotes', prepare: (count) => expenses(times(count, () => '"a')) },
  { name: 'table, quotes that close too late', prepare: (count) => table(`a;b\n${'"x\n'.repeat(count)}";";"\n`) },
  { name: 'table, quotes within quotes', prepare: (count) => expenses([`${row},"${'"a'.repeat(count)}",a`]), most: 30_000 },
  {
    name: 'table, an amount of spaces',
    prepare: (count) => expenses([`Ada,2026-03-04,"€${' '.repeat(count)}1${' '.repeat(count)}1 €€",Coffee,a`, `${row},,`]),
    most: 30_000,
  },
  {
    name: 'table, a day of spaces',
    prepare: (count) => expenses([`Ada,"2026${' '.repeat(count)}x",1,Coffee,a`, `${row},,`]),
    most: 60_000,
  },
]

function onFile(text: string, work: (path: string) => Promise<unknown>): Work {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outlay-growth-'))
    try {
      writeFileSync(join(folder, 'file'), text)
      await work(join(folder, 'file')).catch(() => undefined)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
const limits = { maxPixels: 1, maxTiffPages: 1, maxPdfPages: 1, maxXmlDepth: 100 }
const invoice = (inside: string) => onFile(goodsInvoice().replace('<total>', `${inside}<total>`), (path) => inspectXml(path, limits))
const signed = (inside: string): Work => {
  const text = goodsInvoice().replace('</NFe>', `${inside}</NFe>`)
  return () => attempt(() => checkSignature(text, { ...limits, roots: [] }))
}

const invoices: Reader[] = [
  { name: 'invoice, equal lines', prepare: (count) => invoice('<det><prod><xProd>a</xProd></prod></det>'.repeat(count)) },
  { name: 'invoice, many fields', prepare: (count) => invoice(times(count, (index) => `<a${index}/>`).join('')) },
  { name: 'invoice, nested', prepare: (count) => invoice('<a>'.repeat(count) + '</a>'.repeat(count)) },
  { name: 'invoice, many attributes', prepare: (count) => invoice(`<a ${times(count, (index) => `a${index}="1"`).join(' ')}/>`) },
  {
    name: 'invoice, many names of namespaces',
    prepare: (count) => invoice(times(count, (index) => `<a xmlns:n${index}="urn:a"/>`).join('')),
  },
  { name: 'invoice, many texts in a field', prepare: (count) => invoice(`<a>${'a<![CDATA[b]]>'.repeat(count)}</a>`) },
  { name: 'invoice, many entities', prepare: (count) => invoice(`<a>${'&amp;'.repeat(count)}</a>`) },
  { name: 'signature, many of them', prepare: (count) => signed('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'.repeat(count)) },
  {
    name: 'signature, many certificates',
    prepare: (count) =>
      signed(
        `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><KeyInfo>${'<X509Certificate>AAAA</X509Certificate>'.repeat(count)}</KeyInfo></Signature>`,
      ),
  },
]

const mail = (lines: string) => onFile(`From: a@example.org\r\nSubject: Receipt\r\nMIME-Version: 1.0\r\n${lines}`, splitMail)
const html = 'Content-Type: text/html\r\n\r\n'

const mails: Reader[] = [
  {
    name: 'mail, many attachments',
    prepare: (count) =>
      mail(
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\r\n'.repeat(count)}--b--\r\n`,
      ),
  },
  { name: 'mail, many headers', prepare: (count) => mail(`${times(count, (index) => `X-${index}: a\r\n`).join('')}${html}<p>a</p>`) },
  {
    name: 'mail, many lines of a header',
    prepare: (count) => mail(`To: ${'a@example.org,\r\n '.repeat(count)}b@example.org\r\n${html}<p>a</p>`),
  },
  { name: 'mail, encoded words', prepare: (count) => mail(`Cc: ${'=?utf-8?Q?a?= '.repeat(count)}\r\n${html}<p>a</p>`) },
  {
    name: 'mail, nested parts',
    prepare: (count) => mail(times(count, (index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`).join('')),
  },
  {
    name: 'mail, a text of many lines',
    prepare: (count) => mail(`Content-Type: text/plain; format=flowed\r\n\r\n${'a \r\n'.repeat(count)}`),
  },
  {
    name: 'mail, quoted printable',
    prepare: (count) => mail(`Content-Transfer-Encoding: quoted-printable\r\n${html}${'=41=\r\n'.repeat(count)}`),
    most: 16_000,
  },
  { name: 'mail, nested HTML', prepare: (count) => mail(`${html}${'<div>'.repeat(count)}a`) },
  { name: 'mail, a wide table', prepare: (count) => mail(`${html}<table><tr>${'<td>a</td>'.repeat(count)}</tr></table>`), most: 16_000 },
  { name: 'mail, equal paragraphs', prepare: (count) => mail(`${html}${'<p>Coffee 5.00</p>'.repeat(count)}`), most: 4_000 },
]

const textLine = (_index: number, other: Partial<TextLine> & { y?: number; x?: number; height?: number } = {}): TextLine => {
  const { y = 0, x = 0, height = 0.01, ...rest } = other
  const level = { x, y, width: 0.001, height }
  return { text: 'TOTAL R$ 5,00 04/03/2026', confidence: 1, starts: [], level, place: { page: 1, ...level }, ...rest }
}
const read =
  (lines: readonly TextLine[]): Work =>
  () =>
    readFields(lines, 'text')

const receipts: Reader[] = [
  {
    name: 'receipt, equal lines',
    prepare: (count) => read(times(count, (index) => textLine(index, { y: index / count, height: 0.5 / count }))),
  },
  { name: 'receipt, all in one row', prepare: (count) => read(times(count, (index) => textLine(index, { x: index / count, y: 0.5 }))) },
  {
    name: 'receipt, many amounts in a line',
    prepare: (count) => read([textLine(0, { text: times(count, (index) => `${index},00`).join(' ') })]),
  },
  { name: 'receipt, many days in a line', prepare: (count) => read([textLine(0, { text: '04/03/2026 '.repeat(count) })]) },
  { name: 'receipt, a line of digits', prepare: (count) => read([textLine(0, { text: '1 '.repeat(count) })]) },
  { name: 'receipt, a line of spaces', prepare: (count) => read([textLine(0, { text: `1${' '.repeat(count)}.` })]) },
  {
    name: 'receipt, many pages',
    prepare: (count) => read(times(count, (index) => textLine(index, { place: { page: index, x: 0, y: 0, width: 1, height: 1 } }))),
  },
  {
    name: 'codes, halves of keys',
    prepare: (count) => {
      const codes = times(count, (index) => ({ text: String(index).padStart(22, '0'), format: 'Code128' as const }))
      return () => factsOfCodes(codes)
    },
  },
  {
    name: 'codes, invoices',
    prepare: (count) => {
      const codes = times(count, (index) => ({
        text: `A:509442013*B:999999990*C:PT*D:FT*E:N*F:20260304*G:FT A/${index}*H:CSDF7T5H-${index}*I1:PT*N:1.00*O:${index + 5}.00*Q:abcd*R:1`,
        format: 'QRCode' as const,
      }))
      return () => factsOfCodes(codes)
    },
  },
]

const hand = (count: number) => times(count, (index) => `${dayOf(index)} USD 5.40`).join('\n')
const rates: Reader[] = [
  {
    name: 'rates by hand',
    prepare: (count) => {
      const text = hand(count)
      return () => readRates('hand', text)
    },
  },
  {
    name: 'rates of the ECB, many columns',
    prepare: (count) => {
      const text = `Date,${'USD,'.repeat(count)}\n2026-03-04,${'1.08,'.repeat(count)}\n`
      return () => readRates('ecb', text)
    },
  },
  {
    name: 'rates, a published file',
    prepare: (count) => {
      const text = `Date,USD\n${times(count, () => '2026-03-04,1.08').join('\n')}`
      return () => toSheets('ecb', text, { months: 100 })
    },
  },
  {
    name: 'rates, a published file of short lines',
    prepare: (count) => {
      const text = `Date,USD\n${'a\n'.repeat(count)}`
      return () => toSheets('ecb', text, { months: 100 })
    },
  },
  {
    name: 'rates of two currencies on other days',
    prepare: (count) => {
      const sheet = readRates(
        'bcb',
        times(count, (index) => `${dayOf(index).split('-').toReversed().join('')};220;A;${index % 2 ? 'USD' : 'EUR'};4,9;4,9;1;1`).join(
          '\n',
        ),
      )
      const books = toBooks([{ source: 'bcb', currency: 'BRL', rates: sheet.kind === 'ok' ? sheet.rates : [] }])
      return () => {
        for (let index = 0; index < count; index += 1) findRate(books, { from: 'USD', to: 'EUR', day: dayOf(index) })
      }
    },
  },
]

const layout = {
  separator: ',',
  decimal: '.',
  days: 'yyyy-mm-dd',
  encoding: 'utf-8',
  isQuoted: false,
  hasHeader: true,
  columns: [],
  codes: { tag: {}, claimant: {} },
  otherwise: '',
}
const profile = (parts: object): Work => {
  const text = JSON.stringify({ ...layout, ...parts })
  return () => parseLayout(text)
}
const profiles: Reader[] = [
  {
    name: 'profile, many columns',
    prepare: (count) => profile({ columns: times(count, () => ({ kind: 'constant', name: 'a', text: 'b' })) }),
  },
  {
    name: 'profile, many codes',
    prepare: (count) => profile({ codes: { tag: Object.fromEntries(times(count, (index) => [`t${index}`, '1'])), claimant: {} } }),
  },
  {
    name: 'profile, nested',
    prepare: (count) => {
      const text = '['.repeat(count) + ']'.repeat(count)
      return () => parseLayout(text)
    },
  },
]

const json = (text: string): Work => {
  const bytes = Buffer.from(text)
  return () => attempt(() => readJsonBody({}, bytes))
}
const bodies: Reader[] = [
  { name: 'JSON body, many names', prepare: (count) => json(`{${times(count, (index) => `"a${index}":1`).join()}}`) },
  { name: 'JSON body, equal objects', prepare: (count) => json(`[${times(count, () => '{"a":1}').join()}]`) },
  { name: 'JSON body, nested', prepare: (count) => json('['.repeat(count) + ']'.repeat(count)) },
  { name: 'JSON body, one name again and again', prepare: (count) => json(`{${times(count, () => '"a":1').join()}}`) },
]

/** Everything that reads a file other than a statement. */
export const fileReaders: readonly Reader[] = [...tables, ...invoices, ...mails, ...receipts, ...rates, ...profiles, ...bodies]

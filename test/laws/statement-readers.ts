import { type ComparedLine, planLines } from '#shared/domain/statements/known-lines'
import type { MatchedClaim, MatchedLine } from '#shared/domain/statements/compare'
import { matchLines } from '#shared/domain/statements/match'
import { bytesOfPages } from '#main/tables/statements/pdf-rows'
import { bytesSource } from '#main/tables/table-source'
import { readStatement } from '#main/use-cases/statements/read-statement'
import { ofxOf } from '#test/support/statements/upload'
import { type Reader, type Work, attempt, dayOf, times } from './growth'

function statement(text: string): Work {
  const source = bytesSource(Buffer.from(text))
  return () => attempt(() => readStatement(source, { mapping: {}, kept: {}, currency: 'BRL', locale: 'en' }))
}
/** A PDF of one page, whose rows are 12 points apart. */
const pdf = (rows: readonly (readonly string[])[]): Work => {
  const texts = rows.flatMap((cells, row) =>
    cells.map((text, cell) => ({ text, x: 40 + 90 * cell, y: 12 * row, width: 4 * text.length, height: 8 })),
  )
  const source = bytesOfPages([texts])
  return () => attempt(() => readStatement(source, { mapping: {}, kept: {}, currency: 'BRL', locale: 'en', format: 'pdf' }))
}
const csv = (rows: readonly string[]) => statement(`Date,Description,Amount\n${rows.join('\n')}\n`)
const camt = (inside: string) =>
  statement(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${inside}</BkToCstmrStmt></Document>`)
const ntry =
  '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-04</Dt></BookgDt><AddtlNtryInf>Coffee</AddtlNtryInf></Ntry>'
const details = '<TxDtls><Amt Ccy="EUR">5.00</Amt><RmtInf><Ustrd>Coffee</Ustrd></RmtInf></TxDtls>'
const qif = (lines: string) => statement(`!Type:CCard\n${lines}`)
const coffee = { day: '2026-03-04', amount: '-5.00', name: 'COFFEE' }

/** Files of statements. */
const files: Reader[] = [
  { name: 'OFX, equal lines', prepare: (count) => statement(ofxOf(times(count, () => coffee))) },
  {
    name: 'OFX, sorted lines',
    prepare: (count) =>
      statement(
        ofxOf(times(count, (index) => ({ day: dayOf(index), amount: `-${index + 1}.00`, name: `SHOP ${index}`, id: `2026${index}` }))),
      ),
  },
  {
    name: 'OFX, a line of many fields',
    prepare: (count) => statement(ofxOf([{ ...coffee, name: times(count, (index) => `A<F${index}>`).join('') }])),
  },
  { name: 'OFX, nested', prepare: (count) => statement(ofxOf([{ ...coffee, name: '<A>a'.repeat(count) + '</A>'.repeat(count) }])) },
  { name: 'OFX, unfinished tags', prepare: (count) => statement(ofxOf([coffee]) + '<!-- a\n'.repeat(count)) },
  { name: 'CAMT, equal entries', prepare: (count) => camt(ntry.repeat(count)) },
  {
    name: 'CAMT, many parts of an entry',
    prepare: (count) =>
      camt(
        `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-04</Dt></BookgDt>${details.repeat(count)}</Ntry>`,
      ),
  },
  {
    name: 'CAMT, many fields and parts',
    prepare: (count) =>
      camt(
        `<Ntry><BookgDt><Dt>2026-03-04</Dt></BookgDt>${times(count / 2, (index) => `<F${index}>a</F${index}>`).join('')}${details.repeat(count / 2)}</Ntry>`,
      ),
  },
  { name: 'CAMT, nested', prepare: (count) => camt(`<Ntry>${'<A>a'.repeat(count)}${'</A>'.repeat(count)}</Ntry>`) },
  { name: 'CAMT, closed and never opened', prepare: (count) => camt(`<Ntry>${'<A>'.repeat(count)}${'</B>'.repeat(count)}</Ntry>`) },
  { name: 'QIF, equal lines', prepare: (count) => qif('D04/03/2026\nT-5.00\nPCoffee\n^\n'.repeat(count)) },
  {
    name: 'QIF, a line of many fields',
    prepare: (count) => qif(`D04/03/2026\nT-5.00\n${times(count, (index) => `${String.fromCodePoint(200 + index)}a\n`).join('')}^\n`),
  },
  { name: 'PDF, equal rows', prepare: (count) => pdf(times(count, () => ['04/03/2026', 'Coffee', '5.00'])) },
  {
    name: 'PDF, rows without a day',
    prepare: (count) => pdf([['04/03/2026', 'Coffee'], ...times(count, (index) => ['', `Shop ${index}`, '5.00'])]),
  },
  { name: 'PDF, one row of many texts', prepare: (count) => pdf([['04/03/2026', 'Coffee', ...times(count, () => '5.00')]]) },
  { name: 'PDF, one text of many amounts', prepare: (count) => pdf([['04/03/2026', '5.00 '.repeat(count), '5.00']]) },
  { name: 'PDF, many days and no amount', prepare: (count) => pdf(times(count, (index) => [dayOf(index), dayOf(index)])) },
  {
    name: 'PDF, an account before each row',
    prepare: (count) =>
      pdf(times(count, (index) => (index % 2 === 0 ? [`Account 1234567${index % 4}`] : ['04/03/2026', 'Coffee', '5.00']))),
  },
  { name: 'PDF, many pages of a balance', prepare: (count) => pdf(times(count, () => ['Opening balance', '5.00'])) },
  { name: 'CSV statement, equal rows', prepare: (count) => csv(times(count, () => '2026-03-04,Coffee,5.00')) },
  { name: 'CSV statement, sorted rows', prepare: (count) => csv(times(count, (index) => `${dayOf(index)},Shop ${index},${index + 1}.00`)) },
  {
    name: 'CSV statement, many columns',
    prepare: (count) =>
      statement(`Date,Description,Amount,${times(count, (index) => `c${index}`).join()}\n2026-03-04,Coffee,5.00${',a'.repeat(count)}\n`),
  },
  {
    name: 'CSV statement, no header and many columns',
    prepare: (count) => statement(`2026-03-04,Coffee,5.00${',1.00'.repeat(count)}\n`.repeat(2)),
  },
  { name: 'CSV statement, unclosed quotes', prepare: (count) => csv(times(count, () => '"a')) },
  {
    name: 'CSV statement, a cell of spaces',
    prepare: (count) => csv([`2026-03-04,Coffee,"1${' '.repeat(count)}- 1${' '.repeat(count)}x"`, '2026-03-04,Coffee,5.00']),
    most: 30_000,
  },
]

const line = (_index: number, other: Partial<ComparedLine> = {}): ComparedLine => ({
  day: '2026-03-04',
  amount_minor: 500,
  currency: 'BRL',
  text: 'COFFEE',
  reference: null,
  ...other,
})
const planned = (lines: readonly ComparedLine[], stored: readonly ComparedLine[] = []): Work => {
  const known = planLines(stored, { lines: [] }).lines.map((plan, index) => ({
    ...(stored[index] ?? line(0)),
    external_id: plan.kind === 'new' ? plan.external_id : String(index),
  }))
  return () => planLines(lines, { lines: known })
}
const reference = 'A2026030400417'

/** Lines of a statement compared with those that a card has. Half of the items are stored. */
const lines: Reader[] = [
  { name: 'new lines, equal', prepare: (count) => planned(times(count, line)) },
  { name: 'new lines, equal with one reference', prepare: (count) => planned(times(count, (index) => line(index, { reference }))) },
  {
    name: 'new lines, sorted',
    prepare: (count) => planned(times(count, (index) => line(index, { day: dayOf(index), reference: `${reference}${index}` }))),
  },
  { name: 'known lines, equal', prepare: (count) => planned(times(count / 2, line), times(count / 2, line)) },
  {
    name: 'known lines, equal with other texts',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { text: 'TEA' })),
        times(count / 2, line),
      ),
  },
  {
    name: 'known lines, equal with a text each',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { text: `SHOP ${index} LISBOA` })),
        times(count / 2, (index) => line(index, { text: `SHOP ${index}` })),
      ),
  },
  {
    name: 'known lines, posted a day later',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { day: dayOf(2 * index) })),
        times(count / 2, (index) => line(index, { day: dayOf(2 * index + 1) })),
      ),
  },
  {
    name: 'known lines, equal and posted a day later',
    prepare: (count) =>
      planned(
        [...times(count / 2, (index) => line(index, { day: '2026-03-05' })), line(0), line(0, { day: '2026-04-05' })],
        times(count / 2, line),
      ),
  },
  {
    name: 'known lines, of one reference',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { reference })),
        times(count / 2, (index) => line(index, { reference })),
      ),
  },
  {
    name: 'known lines, of one reference on many days',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { reference, day: dayOf(index + 1) })),
        times(count / 2, (index) => line(index, { reference, day: dayOf(index) })),
      ),
  },
  {
    name: 'known lines, of one reference and other amounts',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { reference, amount_minor: -index })),
        times(count / 2, (index) => line(index, { reference, amount_minor: index })),
      ),
  },
  {
    name: 'known lines, with references that these lack',
    prepare: (count) =>
      planned(
        times(count / 2, (index) => line(index, { reference: `B${reference}${index}` })),
        times(count / 2, (index) => line(index, { reference: `${reference}${index}` })),
      ),
  },
]

const bank = (index: number, other: Partial<MatchedLine> = {}): MatchedLine => ({
  ...{ id: index, card_id: 1, holder_id: 1, day: 20_000, amount_minor: 500, currency: 'BRL', text: 'COFFEE HOUSE' },
  ...{ original_minor: null, original_currency: null, rate: null, ...other },
})
const claim = (index: number, other: Partial<MatchedClaim> = {}): MatchedClaim => ({
  ...{ kind: 'expense', id: index, holder_id: 1, card_id: null, day: 20_000, amount_minor: 500, currency: 'BRL' },
  ...{ supplier: 'Coffee House', description: null, ...other },
})
const matched =
  (some: readonly MatchedLine[], claims: readonly MatchedClaim[]): Work =>
  () =>
    matchLines(some, claims)

/** Lines matched to expenses. Half of the items are expenses. */
const matches: Reader[] = [
  { name: 'lines and expenses, equal', prepare: (count) => matched(times(count / 2, bank), times(count / 2, claim)) },
  {
    name: 'lines and expenses, equal with other texts',
    prepare: (count) =>
      matched(
        times(count / 2, (index) => bank(index, { text: `SHOP ${index}` })),
        times(count / 2, claim),
      ),
  },
  {
    name: 'lines and expenses, sorted',
    prepare: (count) =>
      matched(
        times(count / 2, (id) => bank(id, { day: id, amount_minor: id + 1 })),
        times(count / 2, (id) => claim(id, { day: id, amount_minor: id + 1 })),
      ),
  },
  {
    name: 'lines and expenses, of one day',
    prepare: (count) =>
      matched(
        times(count / 2, (id) => bank(id, { amount_minor: id + 1 })),
        times(count / 2, (id) => claim(id, { amount_minor: id + 1 })),
      ),
  },
  {
    name: 'lines and expenses, of one day and no pair',
    prepare: (count) =>
      matched(
        times(count / 2, (id) => bank(id, { amount_minor: 10_000_000 + id })),
        times(count / 2, (id) => claim(id, { amount_minor: 1_000 + id })),
      ),
  },
  {
    name: 'lines and expenses, tips',
    prepare: (count) =>
      matched(
        times(count / 2, (id) => bank(id, { amount_minor: 110_000 + id })),
        times(count / 2, (id) => claim(id, { amount_minor: 100_000 + id })),
      ),
  },
  {
    name: 'lines that cancel each other',
    prepare: (count) =>
      matched(
        times(count, (id) => bank(id, { amount_minor: id % 2 === 0 ? 500 : -500 })),
        [],
      ),
  },
  {
    name: 'lines of which one is given back',
    prepare: (count) =>
      matched(
        times(count, (id) => bank(id, { amount_minor: id % 2 === 0 ? 500 : -500, text: `${'abcdefghij'.at(id % 10)}${id}x` })),
        [],
      ),
  },
]

/** Everything that reads a statement, or compares what it says. */
export const statementReaders: readonly Reader[] = [...files, ...lines, ...matches]

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStatement } from '#main/tables/statements/statement'
import { bytesSource } from '#main/tables/table-source'
import { UnreadableTable } from '#main/tables/table-reason'
import { plainSource } from '#main/tables/workbook'
import { type SheetCell, writeWorkbook } from '#main/tables/write-xlsx'
import { readStatement } from '#main/use-cases/statements/read-statement'
import { languages } from '#shared/domain/locales'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlay-workbook-'))
})
afterAll(() => rm(folder, { recursive: true }))

const day = (text: string): SheetCell => ({ value: new Date(`${text}T00:00:00Z`), format: 'yyyy-mm-dd' })
const euros = (value: number): SheetCell => ({ value, format: '0.00' })

async function workbookOf(headers: readonly string[], rows: ReadonlyArray<readonly SheetCell[]>): Promise<Buffer> {
  const source = async function* () {
    yield* await Promise.resolve(rows)
  }
  const sheets = [
    { name: 'Notes', headers: () => ['Downloaded'], rows: () => [] },
    { name: 'Bookings', headers: () => headers, rows: source },
  ]
  return Buffer.concat(await Array.fromAsync(writeWorkbook(sheets)))
}

test('a workbook is read from its largest sheet, with exact amounts and without a shift of days', async () => {
  const path = join(folder, 'march.xlsx')
  const rows = [
    ['Card number', '************1234', '', ''],
    ['Date', 'Text', 'Amount', 'Balance'],
    [day('2026-03-01'), 'Café', euros(-0.1), euros(99.9)],
    [day('2026-03-02'), 'Hotel\t"Atlas"', euros(-19.7), euros(80.2)],
    [day('2026-03-31'), 'Refund', euros(0.3), euros(80.5)],
  ]
  await writeFile(path, await workbookOf(['Company card', '', '', ''], rows))
  const { source, format } = await plainSource(path)
  expect(format).toBe('xlsx')
  const account = { last4: '1234', kept: [], hashOf: (key: string) => key }
  const read = readStatement(source, { mapping: {}, kept: {}, currency: 'EUR', locale: 'en', account, format })
  expect(read).toMatchObject({ format: 'xlsx', undecided: [], problems: [], proof: { difference: 0, lines: 3 } })
  expect(read.lines.map((line) => [line.day, line.amount_minor, line.text])).toEqual([
    ['2026-03-01', 10, 'Café'],
    ['2026-03-02', 1970, 'Hotel "Atlas"'],
    ['2026-03-31', -30, 'Refund'],
  ])
  expect(read.account?.digits).toBe('1234')
})

test('an archive that is no workbook, or unpacks to more than a statement has, is refused', async () => {
  const path = join(folder, 'bomb.xlsx')
  for (const bytes of [zipSync({ 'a.txt': new Uint8Array(10) }), zipSync({ 'xl/workbook.xml': new Uint8Array(70 * 1024 * 1024) })]) {
    await writeFile(path, bytes)
    await expect(plainSource(path)).rejects.toThrow(UnreadableTable)
  }
})

test.each([
  ['a workbook of before 2007', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 'older_workbook'],
  ['a page without a table', [...Buffer.from('<html><body><p>Statement</p></body></html>')], 'web_page'],
  [
    'a page of more cells than a statement has',
    [...Buffer.from(`<table>${'<tr><td>a'.repeat(20_000)}<td colspan=200>b</table>`)],
    'workbook',
  ],
])('%s is refused with a sentence that says how to save it', async (_name, bytes, code) => {
  const path = join(folder, 'statement.xls')
  await writeFile(path, Uint8Array.from(bytes))
  const refused = await plainSource(path).catch((error: unknown) => error)
  if (!(refused instanceof UnreadableTable)) throw refused
  expect(refused.reasons).toEqual([{ code }])
  for (const language of languages) expect(refused.word(language)).toContain('CSV')
})

test.each([
  ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0]],
  ['a photo of a phone', [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63]],
  ['a PDF', [...Buffer.from('%PDF-1.7\n')]],
])('%s is refused with a sentence that says what to download', (_name, bytes) => {
  try {
    openStatement(bytesSource(Uint8Array.from(bytes)))
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    for (const language of languages) expect(error.word(language)).toContain('OFX, CSV')
  }
})

import { describe, expect, test } from 'vitest'
import { planImport } from '#main/tables/plan-import'
import { openStatement } from '#main/tables/statements/statement'
import { UnreadableTable } from '#main/tables/table-reason'
import { writeWorkbook } from '#main/tables/write-xlsx'
import { languages } from '#shared/domain/locales'

const text = (content: string) => new TextEncoder().encode(content)
const inUtf16 = (content: string) => new Uint8Array(Buffer.from(`\uFEFF${content}`, 'utf16le'))
const rows = '<tr><td>2026-03-04</td><td>12.50</td></tr>'

async function workbook(): Promise<Uint8Array> {
  const rows = async function* () {
    yield await Promise.resolve(['2026-03-04'])
  }
  return Buffer.concat(await Array.fromAsync(writeWorkbook([{ name: 'Rows', headers: () => ['date'], rows }])))
}

function refusalOf(read: () => unknown): UnreadableTable {
  try {
    read()
  } catch (error) {
    if (error instanceof UnreadableTable) return error
    throw error
  }
  throw new Error('It was read.')
}

describe.each([
  ['an Excel workbook', 'workbook', workbook],
  ['an .xls of before 2007', 'workbook', async () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...text('a,b')])],
  ['a web page', 'web_page', async () => text(`<!DOCTYPE html>\n<html><table>${rows}</table></html>`)],
  ['a table of HTML after a mark and a comment', 'web_page', async () => text(`\uFEFF<!-- report --><TABLE border=1>${rows}</TABLE>`)],
  ['HTML in UTF-16', 'web_page', async () => inUtf16(`<html><head></head>${rows}</html>`)],
  [
    'an XML spreadsheet of 2003',
    'web_page',
    async () => text('<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
  ],
] as const)('%s', (_name, code, make) => {
  test('is not read, and one sentence in each language says what it is and what to do', async () => {
    const bytes = await make()
    const source = () => [bytes]
    for (const read of [() => planImport(source, {}), () => openStatement(source)]) {
      const refused = refusalOf(read)
      expect(refused.reasons).toEqual([{ code }])
      for (const language of languages) expect(refused.word(language)).toContain('CSV')
    }
  })
})

test('a table that only mentions HTML is read', () => {
  const bytes = text('date,amount,description\n2026-03-04,12.50,<html> course\n')
  expect(() => openStatement(() => [bytes])).not.toThrow()
})

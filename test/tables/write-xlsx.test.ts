import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { writeWorkbook } from '#main/tables/write-xlsx'

const fault = new Error('the rows cannot be read')

/** Rows of which one cannot be read, and whether their reader was ended. */
function rowsThatFail(failsAt: number) {
  const seen = { isEnded: false }
  const rows = async function* () {
    try {
      for (let at = 0; at < failsAt; at++) yield [`row ${at} `.repeat(200)]
      throw fault
    } finally {
      seen.isEnded = true
    }
  }
  return { seen, rows }
}

const written = (rows: () => AsyncIterable<string[]>) => writeWorkbook([{ name: 'Rows', headers: () => ['text'], rows }])

test.each([0, 1, 50, 3000])('rows that fail after %i fail the workbook, and nothing else', async (failsAt) => {
  const { rows, seen } = rowsThatFail(failsAt)
  await expect(Array.fromAsync(written(rows))).rejects.toBe(fault)
  expect(seen.isEnded).toBe(true)
})

test('a reader that stops ends the rows', async () => {
  const { rows, seen } = rowsThatFail(1_000_000)
  for await (const chunk of written(rows)) if (chunk.length > 10_000) break
  await expect.poll(() => seen.isEnded).toBe(true)
})

test('the header filters all rows, and columns have their widths', async () => {
  const rows = () => [
    ['a', 'b'],
    ['c', 'd'],
  ]
  const chunks = await Array.fromAsync(writeWorkbook([{ name: 'Rows', headers: () => ['one', 'two'], widths: [8, 40], rows }]))
  const sheet = strFromU8(unzipSync(Buffer.concat(chunks))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet).toMatch(/<\/sheetData><autoFilter ref="A1:B3"\/><\/worksheet>$/)
  expect(sheet).toContain('<col min="2" max="2" width="40" customWidth="1"/>')
})

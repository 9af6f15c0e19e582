import { expect, test } from 'vitest'
import { fileReaders } from './file-readers'
import { growsTooFast, measureGrowth } from './growth'
import { statementReaders } from './statement-readers'

/** With `OUTLAY_GROWTH_FULL=1` up to 100 thousand, and each reader's costs are printed: ten minutes. */
const isFull = process.env.OUTLAY_GROWTH_FULL === '1'
const counts = isFull ? [1_000, 10_000, 100_000] : [250, 4_000]

test.each([...statementReaders, ...fileReaders])('$name: n log n at most', async (reader) => {
  const costs = await measureGrowth(reader, counts)
  if (isFull) console.log(`| ${reader.name} | ${costs.map(({ ms }) => ms.toFixed(1)).join(' | ')} |`)
  const [first, last] = [costs[0], costs.at(-1)]
  expect(first && last && growsTooFast(first, last), JSON.stringify(costs)).toBe(false)
})

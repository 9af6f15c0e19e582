import { expect, test } from 'vitest'
import { inForm, isLong } from '#test/support/form'
import { fileReaders } from './file-readers'
import { growsTooFast, measureGrowth } from './growth'
import { statementReaders } from './statement-readers'

/** In the long form up to 100 thousand, and each reader's costs are printed: ten minutes. */
const counts = inForm([250, 4_000], [1_000, 10_000, 100_000])

test.each([...statementReaders, ...fileReaders])('$name: n log n at most', async (reader) => {
  const costs = await measureGrowth(reader, counts)
  if (isLong) console.log(`| ${reader.name} | ${costs.map(({ ms }) => ms.toFixed(1)).join(' | ')} |`)
  const [first, last] = [costs[0], costs.at(-1)]
  expect(first && last && growsTooFast(first, last), JSON.stringify(costs)).toBe(false)
})

import { expect, test } from 'vitest'
import type { TextLine } from '#shared/readings/text-line'
import { readSurely } from '#main/files/ocr/read-surely'

const line = (text: string, row: number, sure = 1): TextLine => {
  const level = { x: 0.1, y: row / 10, width: 0.8, height: 0.08 }
  return {
    text,
    confidence: 0.98,
    starts: [...text].map((_, at) => at / text.length),
    sure: [...text].map(() => sure),
    place: { page: 0, ...level },
    level,
  }
}

/** What is read of a receipt whose line with `first` says something else in each further look, in the order of the looks. */
async function read(first: TextLine, others: readonly string[]) {
  const lines = [
    line('SUNRISE BAKERY SDN BHD', 0),
    first,
    line('TEA 4.00', 4),
    line('TOTAL 4.00', 5),
    line('CASH 5.00', 6),
    line('CHANGE 1.00', 7),
  ]
  const heights: number[] = []
  const again = (asked: TextLine, height: number) => {
    if (asked !== first) return Promise.resolve(asked)
    heights.push(height)
    const text = others[new Set(heights).size - 1] ?? first.text
    return Promise.resolve({ ...line(text, 1), place: first.place, level: first.level })
  }
  const readings = await readSurely([{ lines, again }])
  return { dates: readings.filter(({ field }) => field === 'date'), looks: heights.length }
}

test('a day that two looks agree on is sure, and looked at no more', async () => {
  const { dates, looks } = await read(line('Date: 15/03/2018 15:41', 1), ['Date: 15/03/2018 15:41'])
  expect(dates[0]?.value).toBe('2018-03-15')
  expect(looks).toBe(1)
})

test('a day that most looks see goes before that of the first, less sure', async () => {
  const { dates } = await read(
    line('Date: 15/03/2013 15:41', 1),
    Array.from({ length: 3 }, () => 'Date: 15/03/2018 15:41'),
  )
  expect(dates.map(({ value }) => value)).toEqual(['2018-03-15', '2013-03-15'])
  expect(dates[0]?.probability).toBeLessThan(0.8)
})

test('a day with a sign that the engine is not sure of is less sure, however often it reads the same', async () => {
  const probability = async (sure: number) => (await read(line('Date: 15/03/2018 15:41', 1, sure), [])).dates[0]?.probability ?? 0
  expect(await probability(0.5)).toBeLessThan(await probability(1))
})

test('a day that only a closer look can read is offered', async () => {
  const { dates } = await read(line('Date: 15/ r/2018 15:41', 1), ['Date: 15/ r/2018', 'Date: 15/Mar/2018 15:41'])
  expect(dates.map(({ value }) => value)).toEqual(['2018-03-15'])
})

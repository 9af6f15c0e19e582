import { readFields } from '#shared/readings/read-fields'
import type { FieldReading } from '#shared/readings/reading'
import type { TextLine } from '#shared/readings/text-line'
import type { ReadPicture } from '#main/files/ocr/read-pixels'

/** What decides an expense is read twice. */
const decisive = ['date', 'total'] as const
/** A line is cut higher the second time, and lower the third, where the second differs: by these times its height. */
const otherHeights = [1.14, 0.94] as const
/** What is left of the probability of a value that a second look reads differently. */
const doubt = 0.6

/** What pictures of the pages of a receipt say. The lines of its day and total are read again; where two more looks differ, they are less sure. */
export async function readSurely(pictures: readonly ReadPicture[]): Promise<FieldReading[]> {
  const lines = pictures.flatMap((picture) => picture.lines)
  const readings = readFields(lines, 'pixels')
  const doubted = new Set<FieldReading>()
  for (const field of decisive) {
    const best = readings.find((reading) => reading.field === field)
    const line = best && lineOf(lines, best)
    const picture = pictures.find((one) => line && one.lines.includes(line))
    if (!best || !line || !picture) continue
    const isSame = async (height: number) => {
      const other = await picture.again(line, height)
      const found = readFields(lines.map((one) => (one === line ? other : one)), 'pixels').find((reading) => reading.field === field)
      return found?.value === best.value
    }
    if (!(await isSame(otherHeights[0])) && !(await isSame(otherHeights[1]))) doubted.add(best)
  }
  return readings.map((reading) => (doubted.has(reading) ? { ...reading, probability: Math.min(doubt, reading.probability) } : reading))
}

/** The line that a value stands in. */
function lineOf(lines: readonly TextLine[], { place }: FieldReading): TextLine | undefined {
  if (!place) return undefined
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2]
  return lines.find((line) => {
    const own = line.place
    return own.page === place.page && x >= own.x && x <= own.x + own.width && Math.abs(own.y + own.height / 2 - y) < 1e-6
  })
}

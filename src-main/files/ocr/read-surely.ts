import { type DecisiveField, agreed, decisiveFields, linesThatMaySay } from '#shared/readings/closer-look'
import { mostOffered, readFields } from '#shared/readings/read-fields'
import type { FieldCandidate } from '#shared/readings/reading'
import type { TextLine } from '#shared/readings/text-line'
import { isLikely } from '#shared/readings/fills'
import type { ReadPicture } from '#main/files/ocr/read-pixels'

/** The multiples of a line's height at which it is cut for more readings. */
const heights = [1.14, 1.3, 0.94] as const

/**
 * Reads the fields of a receipt from images of its pages. The lines with its day and total are read again; if the results differ or are uncertain,
 * all candidate lines are read several more times, and the readings are combined.
 */
export async function readSurely(pictures: readonly ReadPicture[]): Promise<FieldCandidate[]> {
  const lines = pictures.flatMap((picture) => picture.lines)
  const first = readFields(lines, 'pixels')
  const lookAgain = async (some: readonly TextLine[], height: number) => {
    const others = new Map<TextLine, TextLine>()
    for (const line of some) {
      const picture = pictures.find((one) => one.lines.includes(line))
      if (picture) others.set(line, await picture.again(line, height))
    }
    return readFields(
      lines.map((line) => others.get(line) ?? line),
      'pixels',
    )
  }
  const isSure = async (field: DecisiveField) => {
    const best = first.find((reading) => reading.field === field)
    const line = best && lineOf(lines, best)
    if (!best || !line || !isLikely(best)) return false
    const second = await lookAgain([line], heights[0])
    return second.find((reading) => reading.field === field)?.value === best.value
  }
  let readings = first
  for (const field of decisiveFields) {
    if (await isSure(field)) continue
    const looks = [first]
    for (const height of heights) looks.push(await lookAgain(linesThatMaySay(field, lines), height))
    const found = agreed(field, looks).slice(0, mostOffered)
    readings = [...found, ...readings.filter((reading) => reading.field !== field)]
  }
  return readings
}

function lineOf(lines: readonly TextLine[], { place }: FieldCandidate): TextLine | undefined {
  if (!place) return undefined
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2]
  return lines.find((line) => {
    const own = line.place
    return own.page === place.page && x >= own.x && x <= own.x + own.width && Math.abs(own.y + own.height / 2 - y) < 1e-6
  })
}

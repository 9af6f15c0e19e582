import type { ContentType } from '#shared/domain/content-types'
import { readFields } from '#shared/readings/read-fields'
import type { FieldReading } from '#shared/readings/reading'
import { withCodes } from '#shared/readings/readings-of-codes'
import type { TextLine } from '#shared/readings/text-line'
import { findCodes } from '#main/files/code-files'
import { judgeImage } from '#main/files/image-files'
import type { InspectionLimits } from '#main/files/inspection'
import { toGrey } from '#main/files/ocr/grey'
import { pageLines } from '#main/files/ocr/pdf-text'
import { type ReadPicture, decodeGrey, readPixels } from '#main/files/ocr/read-pixels'
import { readSurely } from '#main/files/ocr/read-surely'
import { type PdfDocument, paintPage, withDocument } from '#main/files/pdf-files'

/** A page with less text is a picture of one. */
const leastText = 20
/** A page is painted at this many pixels a side to be read: letters of 8 points have 20. */
const paintedPx = 2300
/** Of pages that are pictures so many are read: more takes longer than a receipt may. */
const mostPictures = 8

/** What a receipt on disk says; nothing where it is refused. What a code says goes before all else. @throws when it cannot be read */
export async function readFile(
  { path, content_type }: { readonly path: string; readonly content_type: ContentType },
  limits: InspectionLimits,
): Promise<FieldReading[]> {
  if (content_type === 'application/xml' || content_type === 'text/xml') return []
  if (content_type !== 'application/pdf' && (await judgeImage(path, content_type, limits)).kind === 'refused') return []
  const codes = await findCodes({ path, content_type }, limits)
  const read =
    content_type === 'application/pdf'
      ? await withDocument(path, limits, (document) => readDocument(document, limits))
      : await readSurely([await readPixels(await decodeGrey(path, limits.maxPixels), 0)])
  return withCodes(codes, read)
}

/** A page with text is read from it, others from their pixels; what the text says goes before. */
async function readDocument(document: PdfDocument, { maxPdfPages }: InspectionLimits): Promise<FieldReading[]> {
  if (document.numPages > maxPdfPages) return []
  const [texts, pictures]: [TextLine[], ReadPicture[]] = [[], []]
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const lines = await pageLines(page, number - 1)
    if (lines.reduce((sum, { text }) => sum + text.length, 0) >= leastText) texts.push(...lines)
    else if (pictures.length < mostPictures) pictures.push(await readPixels(toGrey(await paintPage(page, paintedPx)), number - 1))
    page.cleanup()
  }
  return [...readFields(texts, 'text'), ...(await readSurely(pictures))]
}

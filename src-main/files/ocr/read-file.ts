import type { ContentType } from '#shared/domain/content-types'
import { withFills } from '#shared/readings/fills'
import { readFields } from '#shared/readings/read-fields'
import type { FieldCandidate, FieldReading } from '#shared/readings/reading'
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

/** A page with less text is an image of a page. */
const leastText = 20
/** A page is painted with this many pixels per side for reading: letters of 8 points then have 20 pixels. */
const paintedPx = 2300
/** The most pages that are read from images: more would take too long for a receipt. */
const mostPictures = 8

/** Reads a receipt on disk; nothing if it is rejected. Values from codes take precedence. @throws if it cannot be read */
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
  return withFills(withCodes(codes, read))
}

/** Reads pages with text from their text, others from their pixels. Values from text take precedence. */
async function readDocument(document: PdfDocument, { maxPdfPages }: InspectionLimits): Promise<FieldCandidate[]> {
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

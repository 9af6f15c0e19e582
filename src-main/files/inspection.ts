import type { CapturableType, mailType } from '#shared/domain/captures'
import type { DecodedText } from '#shared/codes/facts-of-code'
import type { ContentType } from '#shared/domain/content-types'
import type { InvoiceFile } from '#shared/invoices/invoice'
import type { PlaceOnPage } from '#shared/readings/reading'

/**
 * The result of inspecting a file; width and height in pixels, upright. `invoice`: the invoice in an XML file. `picture_hash`: the perceptual hash of
 * an image that shows something. A rejected file must not be stored with its declared type.
 */
export type Inspection =
  | { kind: 'ok'; width?: number; height?: number; pages?: number; invoice?: InvoiceFile; picture_hash?: string }
  | { kind: 'refused'; reason: RefusalReason }

/** A QR or bar code in a file, and its position. */
export interface FoundCode extends DecodedText {
  readonly place: PlaceOnPage
}

/** A text on a page: its left edge, the top of its letters and their height, from the page's upper left corner in points. */
export interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The texts of a PDF, page after page; a page that is an image has none. */
export type PageTexts = ReadonlyArray<readonly PlacedText[]>

/** Why a file is rejected. A PDF with a password is malformed, as nobody could review it. */
export type RefusalReason = 'type_mismatch' | 'too_many_pixels' | 'too_many_pages' | 'malformed' | 'doctype' | 'timed_out' | 'too_complex'

/** The sizes of pictures: contract 2.1, and `preview` for the viewer. */
export type ThumbnailStyle = 'medium' | 'thumb' | 'tiny' | 'preview'

/** A file on disk with its declared type. */
export interface DeclaredFile {
  readonly path: string
  readonly content_type: ContentType
}

/** A captured file on disk with its detected type. */
export interface CapturedFile {
  readonly path: string
  readonly content_type: Exclude<CapturableType, typeof mailType>
}

/** A picture of a file: JPEG, or PNG if it has transparency; width and height in pixels. */
export interface Thumbnail {
  readonly bytes: Uint8Array
  readonly content_type: 'image/jpeg' | 'image/png'
  readonly width: number
  readonly height: number
}

/**
 * The result of processing a captured file: it stays unchanged, or another file is made from it. Sizes as in {@link Inspection}; `taken_at` is the
 * camera's time, an ISO 8601 local time with its UTC offset if known.
 */
export type Prepared = { readonly taken_at?: string } & (
  | { kind: 'same'; width?: number; height?: number; pages?: number }
  | ({ kind: 'made' } & Omit<Thumbnail, 'content_type'> & { readonly content_type: 'image/jpeg' | 'image/png' | 'image/tiff' })
  | { kind: 'refused'; reason: RefusalReason }
)

/** The files attached to a message, with their names there. `left_out`: the names of those that are no receipts. `date` as in {@link Prepared}. */
export type SplitMail =
  | {
      kind: 'ok'
      subject?: string
      date?: string
      files: Array<{ readonly file_name: string; readonly content_type: CapturableType; readonly bytes: Uint8Array }>
      left_out: string[]
    }
  | { kind: 'refused'; reason: RefusalReason | 'no_attachments' }

/** How to process a captured file. */
export interface Preparation {
  readonly limits: InspectionLimits
  /** Whether location and camera metadata stay in the file. */
  readonly keepsLocation: boolean
}

/** The most that a file may contain, over all its pages or frames. */
export interface InspectionLimits {
  readonly maxPixels: number
  readonly maxTiffPages: number
  readonly maxPdfPages: number
  readonly maxXmlDepth: number
}

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The longest side of each style, in pixels. Supplement, "Attachments and uploads". */
export const longestSidePx: Readonly<Record<ThumbnailStyle, number>> = { medium: 300, thumb: 100, tiny: 48, preview: 1600 }

/** The thumbnail size of an image of this (upright) size: same shape, never enlarged. */
export function toThumbnailSize(style: ThumbnailStyle, { width, height }: Size): Size {
  const scale = Math.min(1, longestSidePx[style] / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

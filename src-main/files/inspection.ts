import type { CapturableType, mailType } from '#shared/domain/captures'
import type { DecodedText } from '#shared/codes/facts-of-code'
import type { ContentType } from '#shared/domain/content-types'
import type { InvoiceFile } from '#shared/invoices/invoice'
import type { PlaceOnPage } from '#shared/readings/reading'

/**
 * What a file is after a look inside; width and height in pixels, upright. `invoice`: what an XML file says as an invoice, where it is
 * one; `picture_hash`: the perceptual hash of an image that shows something. A refused file must not be stored as
 * what it was declared.
 */
export type Inspection =
  | { kind: 'ok'; width?: number; height?: number; pages?: number; invoice?: InvoiceFile; picture_hash?: string }
  | { kind: 'refused'; reason: RefusalReason }

/** A QR or bar code found in a file, and where. */
export interface FoundCode extends DecodedText {
  readonly place: PlaceOnPage
}

/** Why a file is refused. A PDF that asks for a password is malformed, as nobody could review it. */
export type RefusalReason = 'type_mismatch' | 'too_many_pixels' | 'too_many_pages' | 'malformed' | 'doctype' | 'timed_out' | 'too_complex'

/** The sizes a file is shown in: contract 2.1, and `preview` for the viewer. */
export type ThumbnailStyle = 'medium' | 'thumb' | 'tiny' | 'preview'

/** The file, on disk, with the type it was declared to be. */
export interface DeclaredFile {
  readonly path: string
  readonly content_type: ContentType
}

/** A captured file, on disk, with the type of its content. */
export interface CapturedFile {
  readonly path: string
  readonly content_type: Exclude<CapturableType, typeof mailType>
}

/** A picture of a file: JPEG, or PNG where the file has transparency; width and height in pixels. */
export interface Thumbnail {
  readonly bytes: Uint8Array
  readonly content_type: 'image/jpeg' | 'image/png'
  readonly width: number
  readonly height: number
}

/**
 * The outcome for a captured file: it stays unchanged, or another is made from it. Sizes as of an {@link Inspection}; `taken_at` is the
 * camera's time, an ISO 8601 local time with its offset from UTC if known.
 */
export type Prepared = { readonly taken_at?: string } & (
  | { kind: 'same'; width?: number; height?: number; pages?: number }
  | ({ kind: 'made' } & Omit<Thumbnail, 'content_type'> & { readonly content_type: 'image/jpeg' | 'image/png' | 'image/tiff' })
  | { kind: 'refused'; reason: RefusalReason }
)

/** What a message holds: the files that were attached to it, each with the name it was given there. `date` as in {@link Prepared}. */
export type SplitMail =
  | {
      kind: 'ok'
      subject?: string
      date?: string
      files: Array<{ readonly file_name: string; readonly content_type: CapturableType; readonly bytes: Uint8Array }>
    }
  | { kind: 'refused'; reason: RefusalReason | 'no_attachments' }

/** How a captured file is prepared. */
export interface Preparation {
  readonly limits: InspectionLimits
  /** Where and with what a picture was taken stays in it. */
  readonly keepsLocation: boolean
}

/** What a file may hold at most, all its pages or frames taken together. */
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

/** How large the thumbnail of an image of this (upright) size is: its shape kept, never enlarged. */
export function toThumbnailSize(style: ThumbnailStyle, { width, height }: Size): Size {
  const scale = Math.min(1, longestSidePx[style] / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

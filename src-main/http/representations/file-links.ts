import type { ImageEntry } from '#shared/contract/representations'
import { toInstant } from '#shared/domain/dates'
import { toThumbnailSize } from '#main/files/inspection'
import { signPath } from '#main/files/signed-url'
import type { Context } from '../endpoint'

/** A stored file that a response links to. */
export interface LinkedFile {
  readonly sha256: string
  readonly file_name: string
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
}

/** The thumbnails in image entries (contract 2.1), of an image or a PDF's first page, largest first. */
const styles = ['medium', 'thumb', 'tiny'] as const

/**
 * When file addresses expire: after between half and all of their lifetime, in steps, so that a browser's cache can keep files. Whole seconds, as
 * signatures have.
 */
export function linkExpiry({ deps }: Pick<Context, 'deps'>): Date {
  const while_s = Math.max(1, Math.floor(deps.settings.upload_ttl_s / 2))
  const now_s = deps.clock.now().getTime() / 1000
  return new Date((Math.floor(now_s / while_s) + 2) * while_s * 1000)
}

/** A signed address of a file or one of its thumbnails, valid until `expires`. */
export function fileUrl(
  context: Pick<Context, 'deps' | 'base_url'>,
  file: LinkedFile,
  { style, expires }: { style: string; expires: Date },
): string {
  const type = file.content_type.replace('/', '-')
  const path = `/files/${file.sha256}/${style}/${type}/${encodeURIComponent(file.file_name)}`
  return `${context.base_url}${signPath({ secret: context.deps.signing_secret, path, expires })}`
}

/** A signed address of an export's file. */
export function exportUrl(context: Pick<Context, 'deps' | 'base_url'>, { id, file_name }: { id: string; file_name: string }): string {
  const path = `/files/exports/${id}/${encodeURIComponent(file_name)}`
  return `${context.base_url}${signPath({ secret: context.deps.signing_secret, path, expires: linkExpiry(context) })}`
}

/** A signed address of an auditor's pack; days, or null for no limit. */
export function packUrl(
  context: Pick<Context, 'deps' | 'base_url'>,
  { organization_id, from, to, locale }: { organization_id: number; from: string | null; to: string | null; locale: string },
): string {
  const name = ['audit', organization_id, from, to].filter((part) => part !== null).join('_')
  const path = `/files/packs/${organization_id}/${from ?? '-'}/${to ?? '-'}/${locale}/${name}.zip`
  return `${context.base_url}${signPath({ secret: context.deps.signing_secret, path, expires: linkExpiry(context) })}`
}

/** The file and its thumbnails as image entries (contract 2.1); a file without a picture has only its original. */
export function imageEntries(context: Pick<Context, 'deps' | 'base_url'>, file: LinkedFile): ImageEntry[] {
  const expires = linkExpiry(context)
  const expiration = toInstant(expires)
  const original: ImageEntry = {
    style: 'original',
    url: fileUrl(context, file, { style: 'original', expires }),
    expiration,
    width: file.width,
    height: file.height,
  }
  if (!hasPicture(file)) return [original]
  return [
    original,
    ...styles.map((style) => ({ style, url: fileUrl(context, file, { style, expires }), expiration, ...sizeOf(file, style) })),
  ]
}

/** The address of a full-screen picture, which is not an image entry, as the contract has four styles. Null if there is none. */
export function previewUrl(context: Pick<Context, 'deps' | 'base_url'>, file: LinkedFile): string | null {
  return hasPicture(file) ? fileUrl(context, file, { style: 'preview', expires: linkExpiry(context) }) : null
}

function hasPicture({ content_type }: LinkedFile): boolean {
  return !content_type.endsWith('/xml')
}

function sizeOf({ width, height }: LinkedFile, style: (typeof styles)[number]): { width: number | null; height: number | null } {
  return width === null || height === null ? { width: null, height: null } : toThumbnailSize(style, { width, height })
}

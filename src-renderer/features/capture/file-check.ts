import { mailType } from '#shared/domain/captures'
import { contentTypeByExtension, isAllowedContentType } from '#shared/domain/content-types'

/** A file that can be uploaded, or that the server converts once it is captured, or why it is neither. */
export type FileCheck =
  { readonly kind: 'ok' | 'convertible'; readonly file: File } | { readonly kind: 'type' | 'size' | 'empty'; readonly name: string }

/** Pictures of telephones and of pages, and messages with attachments. WebP and AVIF come here only where the page could not convert them. */
const convertible = {
  types: new Set(['image/heic', 'image/heif', 'image/webp', 'image/avif', mailType]),
  extensions: new Set(['heic', 'heif', 'webp', 'avif', 'eml']),
}

/** Judges a file before anything is sent: its type by what the browser knows or else by its extension, and its size. */
export function checkFile(file: File, maxBytes: number): FileCheck {
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const type = isAllowedContentType(file.type) ? file.type : contentTypeByExtension.get(extension)
  if (convertible.types.has(file.type) || (file.type === '' && convertible.extensions.has(extension))) return { kind: 'convertible', file }
  if (type === undefined || (file.type !== '' && !isAllowedContentType(file.type))) return { kind: 'type', name: file.name }
  if (file.size === 0) return { kind: 'empty', name: file.name }
  if (file.size > maxBytes) return { kind: 'size', name: file.name }
  return { kind: 'ok', file: file.type === type ? file : new File([file], file.name, { type, lastModified: file.lastModified }) }
}

/** What a file picker offers. */
export const acceptedFiles = [...contentTypeByExtension.keys(), ...convertible.extensions].map((extension) => `.${extension}`).join(',')

import { type CapturableType, mailType } from '#shared/domain/captures'

const longestName = 200

const extensions: Readonly<Partial<Record<CapturableType, string>>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/tiff': 'tif',
  'image/heic': 'heic',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  [mailType]: 'eml',
}

/** A file name that is valid everywhere: no folders, nothing unprintable; `fallback` if there is no name. */
export function toFileName(given: string, { content_type, fallback }: { content_type: CapturableType; fallback: string }): string {
  const plain = given
    .toWellFormed()
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  const [, stem = plain, extension] = /^(.+)\.(\w{1,8})$/.exec(plain) ?? []
  const named = /^\.*$/.test(stem) ? fallback : stem
  return `${named.slice(0, longestName)}.${extension ?? extensions[content_type] ?? 'bin'}`
}

/** The name of a file that was converted to another type. */
export function withExtensionOf(file_name: string, content_type: CapturableType): string {
  return `${file_name.replace(/\.\w{1,8}$/, '')}.${extensions[content_type] ?? 'bin'}`
}

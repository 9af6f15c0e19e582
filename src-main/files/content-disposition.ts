import type { ContentType } from '#shared/domain/content-types'

const inlineTypes: readonly string[] = [
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/png',
  'image/tiff',
  'application/pdf',
] satisfies ContentType[]

/** Whether a browser may show files of this type in place; XML (which may be SVG or XHTML) is only downloaded. */
export function isInline(contentType: string): boolean {
  return inlineTypes.includes(contentType)
}

/**
 * The Content-Disposition header (RFC 6266) of a stored file: its name in ASCII for old clients and in UTF-8 for others, without path separators,
 * control characters and direction overrides.
 */
export function toContentDisposition({
  file_name,
  content_type,
  isAttached = false,
}: {
  file_name: string
  content_type: string
  isAttached?: boolean
}): string {
  const name = toPlainName(file_name)
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const kind = isInline(content_type) && !isAttached ? 'inline' : 'attachment'
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeExtendedValue(name)}`
}

function toPlainName(fileName: string): string {
  const plain = fileName
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim()
  return plain === '' ? 'file' : plain
}

/** RFC 8187 allows fewer characters unescaped than encodeURIComponent leaves. */
function encodeExtendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

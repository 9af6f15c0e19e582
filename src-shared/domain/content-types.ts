/** The content types that may be uploaded. Contract 2.9. */
export const contentTypes = [
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/png',
  'image/tiff',
  'application/pdf',
  'application/xml',
  'text/xml',
] as const

/** A content type that may be uploaded. */
export type ContentType = (typeof contentTypes)[number]

/** The content type for a file by its extension (lower case, no dot). */
export const contentTypeByExtension: ReadonlyMap<string, ContentType> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['png', 'image/png'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['pdf', 'application/pdf'],
  ['xml', 'application/xml'],
])

/** Whether files of this content type (exactly, without parameters) may be uploaded. */
export function isAllowedContentType(contentType: string): contentType is ContentType {
  return contentTypes.some((allowed) => allowed === contentType)
}

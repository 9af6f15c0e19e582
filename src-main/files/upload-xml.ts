const xmlHeader = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** S3's 201 response to an accepted upload. `etag` includes its quotes. Contract 4.16, step 5. */
export function toPostResponseXml(stored: { location: string; bucket: string; key: string; etag: string }): string {
  const { location, bucket, key, etag } = stored
  return `${xmlHeader}<PostResponse>${element('Location', location)}${element('Bucket', bucket)}${element('Key', key)}${element('ETag', etag)}</PostResponse>`
}

/** S3's 400 or 403 response to a rejected upload. Supplement, "Attachments and uploads". */
export function toErrorXml({ code, message }: { code: string; message: string }): string {
  return `${xmlHeader}<Error>${element('Code', code)}${element('Message', message)}</Error>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeXml(text: string): string {
  // XML 1.0 cannot contain most control characters, lone surrogates and noncharacters, not even escaped.
  const writable = text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return writable.replace(/[&<>"']/g, (char) => entities[char] ?? char)
}

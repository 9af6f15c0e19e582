import { readFile } from 'node:fs/promises'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { mailType } from '#shared/domain/captures'
import type { SplitMail } from '#main/files/inspection'
import { drawMail } from '#main/files/mail-page'
import { detectType } from '#main/files/sniff'

const maxFiles = 50
/** A smaller inline image is a logo or a tracking pixel. */
const minInlineBytes = 20 * 1024
const limits = { maxNestingDepth: 30, maxHeadersSize: 512 * 1024, forceRfc822Attachments: true } as const

type File = Extract<SplitMail, { kind: 'ok' }>['files'][number]

/**
 * The receipts attached to a message, and to messages attached to it. Without any, the message itself as a PDF, if it is HTML. Skips other
 * attachments.
 * @throws if it is nested too deep or its headers are too long
 */
export async function splitMail(path: string): Promise<SplitMail> {
  const mail = await PostalMime.parse(await readFile(path), limits)
  if (!mail.from && !mail.date && !mail.subject && mail.attachments.length === 0) return { kind: 'refused', reason: 'malformed' }
  const files = await filesOf(mail, { isNested: false })
  if (files.length === 0) {
    const bytes = await drawMail(mail)
    if (!bytes) return { kind: 'refused', reason: 'no_attachments' }
    files.push({ file_name: `${mail.subject ?? 'mail'}.pdf`, content_type: 'application/pdf', bytes })
  }
  const { subject, date } = mail
  return { kind: 'ok', ...(subject && { subject }), ...(date && { date }), files: files.slice(0, maxFiles) }
}

async function filesOf(mail: Email, { isNested }: { isNested: boolean }): Promise<File[]> {
  const files: File[] = []
  for (const attachment of mail.attachments.slice(0, maxFiles)) {
    const bytes = toBytes(attachment)
    if (attachment.mimeType === mailType) {
      if (!isNested) files.push(...(await filesOf(await PostalMime.parse(bytes, limits), { isNested: true })))
      continue
    }
    const file_name = attachment.filename ?? ''
    const content_type = await detectType(bytes.subarray(0, 4100), file_name)
    const isLogo = isInText(attachment) && bytes.byteLength < minInlineBytes && content_type?.startsWith('image/') === true
    if (content_type !== undefined && content_type !== mailType && !isLogo) files.push({ file_name, content_type, bytes })
  }
  return files
}

function isInText({ disposition, related }: Attachment): boolean {
  return disposition === 'inline' || related === true
}

function toBytes({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}

import { readFile } from 'node:fs/promises'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import sharp from 'sharp'
import { asFileName, mailType } from '#shared/domain/captures'
import type { SplitMail } from '#main/files/inspection'
import { isLikely } from '#shared/readings/fills'
import { readFields } from '#shared/readings/read-fields'
import type { TextLine } from '#shared/readings/text-line'
import { drawMail, textOf } from '#main/files/mail-page'
import { detectType } from '#main/files/sniff'

const maxFiles = 50
/** An inline image of fewer bytes, or as flat as a banner, is a logo or a tracking pixel. */
const minInlineBytes = 20 * 1024
const bannerShape = 2.5
/** Deeper messages in messages were not forwarded by people. */
const mostNested = 12
const limits = { maxNestingDepth: 30, maxHeadersSize: 512 * 1024, forceRfc822Attachments: true } as const

type File = Extract<SplitMail, { kind: 'ok' }>['files'][number]

/** What a message brings. `left_out`: the names of attachments that cannot be receipts. */
interface Brought {
  readonly files: File[]
  readonly left_out: string[]
}

/**
 * The receipts attached to a message, and to messages attached to it; and as a PDF the text of each message that is a receipt itself, or that
 * brings nothing else. Other attachments are named.
 * @throws if it is nested too deep or its headers are too long
 */
export async function splitMail(path: string): Promise<SplitMail> {
  const mail = await PostalMime.parse(await readFile(path), limits)
  if (!mail.from && !mail.date && !mail.subject && mail.attachments.length === 0) return { kind: 'refused', reason: 'malformed' }
  const { files, left_out } = await broughtBy(mail, 0)
  if (files.length === 0) return { kind: 'refused', reason: 'no_attachments' }
  const { subject, date } = mail
  return {
    kind: 'ok',
    ...(subject && { subject }),
    ...(date && { date }),
    files: files.slice(0, maxFiles),
    left_out: [...left_out, ...files.slice(maxFiles).map(({ file_name }) => file_name)],
  }
}

async function broughtBy(mail: Email, depth: number): Promise<Brought> {
  const [files, left_out]: [File[], string[]] = [[], mail.attachments.slice(maxFiles).map(nameOf)]
  for (const attachment of mail.attachments.slice(0, maxFiles)) {
    const bytes = toBytes(attachment)
    if (attachment.mimeType === mailType && depth < mostNested) {
      const inner = await broughtBy(await PostalMime.parse(bytes, limits), depth + 1)
      files.push(...inner.files)
      left_out.push(...inner.left_out)
      continue
    }
    const file_name = attachment.filename ?? ''
    const content_type = await detectType(bytes.subarray(0, 4100), file_name)
    if (content_type !== undefined && content_type !== mailType) {
      const isDecoration = isInText(attachment) && content_type.startsWith('image/') && (await isLogo(bytes))
      if (!isDecoration) files.push({ file_name, content_type, bytes })
      // As flat as a banner, a large one may still be a receipt.
      else if (bytes.byteLength >= minInlineBytes) left_out.push(nameOf(attachment))
    } else if (!isInText(attachment)) left_out.push(nameOf(attachment))
  }
  const text = textOf(mail)
  if (text === '' || (files.length > 0 && !isReceipt(text))) return { files, left_out }
  const page = {
    file_name: `${asFileName(mail.subject ?? 'mail')}.pdf`,
    content_type: 'application/pdf' as const,
    bytes: await drawMail(mail, text),
  }
  return { files: [page, ...files], left_out }
}

const nameOf = ({ filename, mimeType }: Attachment) => filename ?? mimeType

async function isLogo(bytes: Uint8Array): Promise<boolean> {
  if (bytes.byteLength < minInlineBytes) return true
  const { width = 1, height = 1 } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 1, height: 1 }))
  return width > height * bannerShape
}

function isInText({ disposition, related }: Attachment): boolean {
  return disposition === 'inline' || related === true
}

function toBytes({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}

/** Whether a text is a receipt: it names what was paid. */
function isReceipt(text: string): boolean {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  const lines = rows.map((row, at): TextLine => {
    const level = { x: 0, y: at / rows.length, width: 1, height: 0.8 / rows.length }
    return { text: row, confidence: 1, starts: [], place: { page: 0, ...level }, level }
  })
  return readFields(lines, 'text').some((one) => one.field === 'total' && isLikely(one))
}

import { convert } from 'html-to-text'
import type { Email } from 'postal-mime'
import { TextPages } from '#main/files/pages/draw'

/** A longer message is not a receipt. */
const mostCharacters = 100_000
const size = 10

/** The text of a message, of its HTML where it has both; empty without any. */
export function textOf({ html = '', text = '' }: Email): string {
  const body = toText(html).trim()
  return (body === '' ? text : body).slice(0, mostCharacters).trim()
}

/** A message's text as a PDF, with its sender, subject, and when it was sent by the sender's clock. Leaves out images and styles, and fetches nothing. */
export async function drawMail({ from, subject, headers }: Email, body: string): Promise<Uint8Array> {
  const pages = new TextPages(subject ?? '')
  const sender = [from?.name, from?.address && `<${from.address}>`].filter(Boolean).join(' ')
  for (const line of [sender, sentLine(headers)]) pages.paragraph(line, { size: 9, color: '#666666' })
  pages.paragraph(subject ?? '', { size: 14, isBold: true })
  pages.down(size)
  for (const line of body.split('\n')) {
    if (line.trim() === '') pages.down(size * 0.7)
    else pages.paragraph(line, { size })
  }
  return (await pages.end()).save()
}

/** When a message was sent, as its sender's clock said: `Sent: Fri, 20 Nov 2026 21:12:00 -0300`. Readings of receipts leave such lines out. */
function sentLine(headers: Email['headers']): string {
  const date = headers.find(({ key }) => key.toLowerCase() === 'date')?.value
  return date === undefined ? '' : `Sent: ${date}`
}

/** The text of a page, with its tables in columns. */
function toText(html: string): string {
  return convert(html.slice(0, mostCharacters * 10), {
    wordwrap: false,
    limits: { maxInputLength: mostCharacters * 10, maxDepth: 100, maxChildNodes: 5_000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
}

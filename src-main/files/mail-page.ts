import { convert } from 'html-to-text'
import type { Email } from 'postal-mime'
import { TextPages } from '#main/files/pages/draw'

/** A longer message is not a receipt. */
const mostCharacters = 100_000
const size = 10

/**
 * An HTML message that is itself the receipt, as a PDF: sender, date, subject and text. Leaves out images and styles, and fetches nothing. Undefined
 * if it has no text.
 */
export async function drawMail({ from, subject, date, html = '' }: Email): Promise<Uint8Array | undefined> {
  const body = toText(html).slice(0, mostCharacters).trim()
  if (body === '') return undefined
  const pages = new TextPages(subject ?? '')
  const sender = [from?.name, from?.address && `<${from.address}>`].filter(Boolean).join(' ')
  for (const line of [sender, date ?? '']) pages.paragraph(line, { size: 9, color: '#666666' })
  pages.paragraph(subject ?? '', { size: 14, isBold: true })
  pages.down(size)
  for (const line of body.split('\n')) {
    if (line.trim() === '') pages.down(size * 0.7)
    else pages.paragraph(line, { size })
  }
  return (await pages.end()).save()
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

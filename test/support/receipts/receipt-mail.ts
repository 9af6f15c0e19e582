import { deflateSync, crc32 } from 'node:zlib'

/** A message that brings a receipt. */
export interface MailParts {
  readonly from: string
  readonly to?: string
  readonly subject: string
  readonly headers?: readonly string[]
  /** What the message itself says; without it, that a receipt is attached. */
  readonly html?: string
  /** How many pictures are attached; each is another, by the subject. */
  readonly attached?: number
}

/** A message as it arrives: headers that the receiving server adds are on top. */
export function receiptMail({ from, to = 'receipts@example.org', subject, headers = [], html, attached = 0 }: MailParts): string {
  const head = [
    ...headers,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Wed, 4 Mar 2026 10:20:30 -0300',
    `Message-ID: <${subject.replaceAll(/\W/g, '-')}@example.org>`,
  ]
  const body =
    html === undefined ? ['Content-Type: text/plain', '', 'See what is attached.'] : ['Content-Type: text/html; charset=utf-8', '', html]
  if (attached === 0) return [...head, 'MIME-Version: 1.0', ...body, ''].join('\r\n')
  const parts = Array.from({ length: attached }, (_, at) =>
    [
      'Content-Type: image/png',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="receipt-${subject}${at === 0 ? '' : `-${at}`}.png"`,
      '',
      (
        png(`${subject} ${at}`)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n'),
    ].join('\r\n'),
  )
  const all = [body.join('\r\n'), ...parts].map((part) => `--part\r\n${part}`)
  return [...head, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="part"', '', ...all, '--part--', ''].join('\r\n')
}

/** A small picture that is another for each text. */
function png(text: string): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.from([0, 0, 0, 40, 0, 0, 0, 40, 8, 0, 0, 0, 0])
  const pixels = Buffer.alloc(40 * 41, 200)
  for (let row = 0; row < 40; row += 1) pixels[row * 41] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[
      chunk('IHDR', head),
      chunk('tEXt', Buffer.from(`Comment\0${text}`)),
      chunk('IDAT', deflateSync(pixels)),
      chunk('IEND', Buffer.alloc(0)),
    ],
  ])
}

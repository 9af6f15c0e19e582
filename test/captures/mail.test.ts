import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import { splitMail } from '#main/files/mail-files'
import { pageLines } from '#main/files/ocr/pdf-text'
import { createReceiptReader } from '#main/files/ocr/receipt-reader'
import { withDocument } from '#main/files/pdf-files'
import { instanceOfFile } from '#test/support/of-file'
import { picture } from '#test/files/samples'
import { capture, listProcessed } from '#test/support/captures'
import { jpgFile, pdfFile, xmlFile } from '#test/support/sample-files'

const instance = await instanceOfFile()

interface Part {
  readonly type: string
  readonly bytes: Uint8Array | string
  readonly name?: string
  readonly headers?: readonly string[]
}

/** A message as a mail program saves it. */
function mail(parts: readonly Part[], headers: readonly string[] = []): string {
  // A message inside another needs a boundary of its own.
  const boundary = `part-${JSON.stringify(parts).length}`
  const written = parts.map(({ type, bytes, name, headers: own = [] }) => {
    const isPlain = typeof bytes === 'string'
    return [
      `--${boundary}`,
      `Content-Type: ${type}`,
      ...(isPlain ? [] : ['Content-Transfer-Encoding: base64']),
      ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
      ...own,
      '',
      isPlain ? bytes : Buffer.from(bytes).toString('base64'),
    ].join('\r\n')
  })
  const head = ['From: Hotel <hotel@example.org>', 'Subject: =?utf-8?q?Sua_reserva_n=C2=BA_7?=', 'Date: Wed, 4 Mar 2026 10:20:30 -0300']
  const type = `Content-Type: multipart/mixed; boundary="${boundary}"`
  const all = [...head, ...headers, 'MIME-Version: 1.0', type, '', ...written, `--${boundary}--`, '']
  return all.join('\r\n')
}

const text: Part = { type: 'text/plain', bytes: 'See what is attached.' }

async function captureMail(message: string, query: Record<string, string> = {}): Promise<Capture[]> {
  const person = await instance.addUser(`Mia ${instance.app.store.revision()}`)
  await capture({ token: person.token, url: instance.url }, { bytes: Buffer.from(message), name: 'Reserva.eml', query })
  return listProcessed(person)
}

test('the receipts of a message become captures of one group, with its subject and date', async () => {
  const [invoice, photo, xml] = [pdfFile(), await jpgFile(), xmlFile()]
  const captures = await captureMail(
    mail([
      text,
      invoice,
      { ...photo, type: 'application/octet-stream' },
      xml,
      { type: 'application/zip', bytes: Buffer.from('PK\u0003\u0004 nothing'), name: 'all.zip' },
      { type: 'text/html', bytes: '<script>1</script>', name: 'page.html' },
    ]),
  )
  expect(captures.map(({ file_name }) => file_name).sort()).toEqual(['invoice.pdf', 'nfe.xml', 'receipt.jpg'])
  for (const one of captures)
    expect(one).toMatchObject({
      source: 'mail',
      state: 'ready',
      note: expect.stringMatching(/^Sua reserva nº 7 · .*: all\.zip, page\.html$/),
      captured_at: '2026-03-04T13:20:30Z',
      group: captures[0]?.group,
    })
  expect(captures[0]?.group).toMatch(/./)
})

test('a logo inside the text is left out, a photo there is not', async () => {
  const logo = await picture(40, 40).png().toBuffer()
  const photo = await picture(600, 600).jpeg().toBuffer()
  const inline = (bytes: Uint8Array, type: string, id: string): Part => ({
    type,
    bytes,
    headers: ['Content-Disposition: inline', `Content-ID: <${id}>`],
  })
  const captures = await captureMail(mail([text, inline(logo, 'image/png', 'logo'), inline(photo, 'image/jpeg', 'photo')]))
  expect(captures.map(({ content_type, file_name }) => [content_type, file_name])).toEqual([['image/jpeg', 'mail.jpg']])
})

test('messages that were forwarded as attachments are looked into, also inside others', async () => {
  const nested = (part: Part): Part => ({ type: 'message/rfc822', bytes: mail([text, part]), name: 'forwarded.eml' })
  const invoice = pdfFile('inner.pdf')
  expect((await captureMail(mail([nested(invoice)]))).map(({ file_name }) => file_name)).toEqual(['inner.pdf'])
  expect((await captureMail(mail([nested(nested(invoice))]))).map(({ file_name }) => file_name)).toEqual(['inner.pdf'])
})

const ride: Part = { type: 'text/plain', bytes: 'Your ride\r\nFare 21.00 USD\r\nService 2.40 USD\r\nTotal 23.40 USD\r\nVisa 23.40 USD' }

test('a message whose text is the receipt keeps its text, whatever is attached', async () => {
  const banner = await picture(900, 120).png().toBuffer()
  const inline: Part = { type: 'image/png', bytes: Buffer.concat([banner, Buffer.alloc(30_000)]), headers: ['Content-Disposition: inline'] }
  const calendar: Part = { type: 'text/calendar', bytes: Buffer.from('BEGIN:VCALENDAR'), name: 'ride.ics' }
  const captures = await captureMail(mail([ride, inline, pdfFile('terms.pdf'), calendar]))
  expect(captures.map(({ file_name }) => file_name).sort()).toEqual(['Sua reserva nº 7.pdf', 'terms.pdf'])
  expect(captures[0]?.note).toMatch(/: image\/png, ride\.ics$/)
})

test('a plain text without attachments becomes a page, whose file has the whole subject', async () => {
  const message = mail([ride]).replace(/Subject: .*/, 'Subject: Ride 11/20 home')
  expect((await captureMail(message)).map(({ file_name, state }) => [file_name, state])).toEqual([['Ride 11-20 home.pdf', 'ready']])
})

test('the page of a message says when it was sent by the sender, and that is not read as the day of the receipt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-mail-'))
  try {
    const path = join(folder, 'ride.eml')
    await writeFile(path, mail([ride]).replace(/Date: .*/, 'Date: Fri, 20 Nov 2026 21:12:00 -0300'))
    const split = await splitMail(path)
    const page = join(folder, 'ride.pdf')
    await writeFile(page, split.kind === 'ok' ? (split.files[0]?.bytes ?? '') : '')
    const limits = { maxPixels: 1e8, maxTiffPages: 10, maxPdfPages: 10, maxXmlDepth: 10 }
    const lines = await withDocument(page, limits, async (document) => pageLines(await document.getPage(1), 0))
    expect(lines.map((line) => line.text).join('\n')).toContain('20 Nov 2026 21:12')
    const reader = createReceiptReader()
    const outcome = await reader.read({ path: page, content_type: 'application/pdf' })
    await reader.close()
    const readings = outcome.kind === 'read' ? outcome.fields : []
    expect(readings.filter(({ field }) => field === 'date')).toEqual([])
    expect(readings.find(({ field, fills }) => field === 'total' && fills)).toMatchObject({ value: '2340', currency: 'USD' })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('what was captured with a group stays in it', async () => {
  const [one] = await captureMail(mail([pdfFile()]), { group: 'trip' })
  expect(one).toMatchObject({ group: 'trip' })
})

test.each([
  ['without any text', mail([{ ...text, bytes: ' ' }]), 'no_attachments', /no receipt attached/],
  ['that is no message', 'Just some notes\n\nthat someone named so.', 'malformed', /damaged/],
  ['nested without an end', `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(400)}`, 'malformed', /damaged/],
])('a message %s is kept, and said to be unusable', async (_what, message, code, wording) => {
  const captures = await captureMail(message)
  expect(captures).toHaveLength(1)
  expect(captures[0]).toMatchObject({
    state: 'unusable',
    content_type: 'message/rfc822',
    url: null,
    file: [],
    problem: { code, message: expect.stringMatching(wording) },
  })
})

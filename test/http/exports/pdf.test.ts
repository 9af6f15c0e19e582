import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { createBlobStore } from '#main/files/blob-store'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { exportAs, saved, settledExport } from '#test/support/exports'
import type { Json } from '#test/support/instance'
import { folderOfFile, instanceOfFile } from '#test/support/of-file'
import { type SampleFile, jpgFile, pdfFile, pngFile, tiffFile, xmlFile } from '#test/support/sample-files'
import { approvedExpense } from '#test/support/settlements'
import { uploadFile } from '#test/support/upload'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const scripts = [
  'Ünïcode ação',
  'Ελληνικά',
  'Привет',
  'नमस्ते',
  'สวัสดี',
  '你好世界',
  'こんにちは',
  '안녕하세요',
  '한국어',
  'தமிழ்',
  'বাংলা',
  'ქართული',
  '→',
  '😀',
  '👨‍👩‍👧',
]
const folder = folderOfFile('outlay-pdf-')
const instance = await instanceOfFile()

async function recordWith(attributes: Json, ...files: SampleFile[]): Promise<Json> {
  const expense = await recordExpense(instance, instance.member, attributes)
  for (const file of files) {
    const location = await uploadFile(instance.member, file)
    const { status } = await instance.member.api.send('POST', `/expenses/${expense.id}/attachments`, { file: location })
    expect(status).toBe(201)
  }
  return expense
}

/** The text of a PDF, as pdftotext reads it. */
const textOf = (path: string) => execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })

describe.skipIf(!has('qpdf') || !has('pdftotext'))('a PDF (skipped where qpdf and pdftotext are not installed)', () => {
  test('has a cover with what was asked for, a table with sums, and each receipt on its pages with its expense', async () => {
    const { id } = await recordWith(
      { amount: 12.34, description: 'Dinner', tags: 'zippy' },
      await jpgFile(),
      pdfFile(),
      await tiffFile(),
      await pngFile(),
      xmlFile(),
    )
    const { made, bytes } = await exportAs(instance.analyst, { format: 'pdf', ids: [id], title: 'Approved · March' })
    const path = await saved(folder, 'receipts.pdf', bytes)
    expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors')
    expect(made).toMatchObject({ done: 1, total: 1 })
    const text = textOf(path)
    for (const part of [
      'Approved · March',
      'Ann Analyst',
      'Acme',
      'Dinner',
      '12.34',
      'receipt.jpg',
      'invoice.pdf',
      'scan.tiff',
      'electronic invoice',
    ])
      expect(text).toContain(part)
    expect(text.match(new RegExp(`#${id} ·`, 'g'))).toHaveLength(5)
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(7)
  })

  test('cuts a long receipt into pages that can be read, and shows all of it', async () => {
    const { id } = await recordWith({ amount: 1 }, await jpgFile({ name: 'long.jpg', width: 300, height: 3000 }))
    const { bytes } = await exportAs(instance.analyst, { format: 'pdf', ids: [id] })
    // 300 × 402 pixels a page, each with 3 % of the one before.
    expect(textOf(await saved(folder, 'long.pdf', bytes)).match(/long\.jpg · \d\/8/g)).toHaveLength(8)
  })

  test('has a page with the name and the reason for a receipt that cannot be shown', async () => {
    const { id } = await recordWith(
      { amount: 1 },
      await jpgFile({ name: 'whole.jpg', width: 31 }),
      await jpgFile({ name: 'broken.jpg', width: 33 }),
      await jpgFile({ name: 'gone.jpg', width: 35 }),
    )
    const blobs = createBlobStore(instance.folder, { randomId: () => 'unused' })
    const { body } = await instance.member.api.get<{ attachments: Json[] }>(`/expenses/${id}/attachments`)
    const hashOf = (name: string) =>
      /\/files\/([0-9a-f]{64})\//.exec(body.attachments.find(({ file_name }) => file_name === name)?.url)?.[1] ?? ''
    await writeFile((await blobs.open(hashOf('broken.jpg'))).path, 'no picture')
    await blobs.remove(hashOf('gone.jpg'))
    const { bytes } = await exportAs(instance.analyst, { format: 'pdf', ids: [id] })
    const text = textOf(await saved(folder, 'broken.pdf', bytes))
    expect(text).toMatch(/broken\.jpg\s+This file cannot be shown/)
    expect(text).toMatch(/gone\.jpg\s+This receipt is not on this computer/)
    expect(text).toContain('whole.jpg')
  })

  test('keeps every script, and texts of ten thousand characters', async () => {
    const long = Array.from({ length: 1200 }, (_, index) => `word${index}`).join(' ')
    const made = [
      await recordWith({ amount: 2, description: scripts.join(' ') }),
      await recordWith({ amount: 4, description: 'مرحبا שלום 😀' }),
      await recordWith({ amount: 3, description: long }),
    ]
    const { bytes } = await exportAs(instance.analyst, { format: 'pdf', ids: made.map(({ id }) => id) })
    const path = await saved(folder, 'scripts.pdf', bytes)
    execFileSync('qpdf', ['--check', path])
    const text = execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8' }).normalize('NFKC')
    for (const word of [...scripts.join(' ').split(' '), 'مرحبا', 'שלום', 'word0 ', 'word1199']) expect(text).toContain(word)
    expect(new Set(text.match(/word\d+/g)).size).toBe(1200)
  })

  test('that matches nothing says so', async () => {
    const { bytes } = await exportAs(instance.analyst, { format: 'pdf', ids: [999_999] })
    expect(textOf(await saved(folder, 'empty.pdf', bytes))).toContain('No expense matches what was asked for.')
  })

  test('that was asked for without words names its filters, never all expenses', async () => {
    const { id } = await recordWith({ amount: 7, description: 'Filtered' })
    const { bytes } = await exportAs(instance.analyst, { format: 'pdf', q: { description_cont: 'Filtered' }, ids: [id] })
    const text = textOf(await saved(folder, 'filtered.pdf', bytes))
    expect(text).toContain('description_cont: Filtered · 1 chosen expense')
    expect(text).not.toContain('All expenses')
    const all = await exportAs(instance.analyst, { format: 'pdf' })
    expect(textOf(await saved(folder, 'all.pdf', all.bytes))).toContain('All expenses')
  })

  test('of a correction says which handover it corrects', async () => {
    const { id } = await approvedExpense(instance, { amount: 8 })
    const handOver = async (asked: Json) => {
      const { body } = await instance.manager.api.send('POST', `/organizations/${instance.organization_id}/handovers`, {
        format: 'pdf',
        ...asked,
      })
      const { url } = await settledExport(instance.manager.api, body)
      return { id: body.id, text: textOf(await saved(folder, 'handed.pdf', Buffer.from(await (await fetch(url ?? '')).arrayBuffer()))) }
    }
    const made = await handOver({ ids: [id], title: 'Month of March' })
    expect(made.text).not.toContain('Correction')
    await moveExpense(instance.manager, id, { status: 'rejected' })
    expect((await handOver({ corrects: made.id })).text).toContain('Correction: Month of March')
  })
})

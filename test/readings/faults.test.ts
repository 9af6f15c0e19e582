import Database from 'better-sqlite3'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createReceiptReader } from '#main/files/ocr/receipt-reader'
import { pngClaiming } from '#test/files/samples'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { capture } from '#test/support/captures'
import { inForm } from '#test/support/form'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { oneReceipt } from '#test/support/receipts/one-receipt'
import { folderOfFile } from '#test/support/of-file'

const folder = folderOfFile('outlay-receipts-')

const receipt = oneReceipt(11)

async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

test(
  'files that say nothing, are cut off, or are over the limits end well, and the next receipt is read',
  { timeout: 300_000 },
  async () => {
    const reader = createReceiptReader()
    try {
      const good = await drawReceipt(receipt, 'scan', 1)
      const blank = await sharp({ create: { width: 400, height: 600, channels: 3, background: 'white' } })
        .jpeg()
        .toBuffer()
      const one = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'black' } })
        .png()
        .toBuffer()
      const read = async (name: string, bytes: Uint8Array, content_type: 'image/jpeg' | 'image/png' | 'application/pdf') =>
        reader.read({ path: await fileOf(name, bytes), content_type })
      expect(await read('blank.jpg', blank, 'image/jpeg')).toEqual({ kind: 'read', fields: [] })
      expect(await read('huge.png', pngClaiming(11_000, 10_000), 'image/png')).toEqual({ kind: 'read', fields: [] })
      expect(['read', 'unreadable']).toContain((await read('one.png', one, 'image/png')).kind)
      expect(await read('cut.jpg', good.subarray(0, good.length / 2), 'image/jpeg')).toEqual({ kind: 'unreadable' })
      expect(await read('none.pdf', Buffer.from('%PDF-1.7\nnothing'), 'application/pdf')).toEqual({ kind: 'unreadable' })
      const outcome = await read('good.jpg', good, 'image/jpeg')
      expect(outcome.kind === 'read' && outcome.fields.find(({ field }) => field === 'total')?.value).toBe(String(receipt.truth.total))
    } finally {
      await reader.close()
    }
  },
)

test(
  'a receipt that takes too long is given up, and one that needs too much memory ends only its process',
  { timeout: 300_000 },
  async () => {
    const path = await fileOf('slow.jpg', await drawReceipt(receipt, 'scan', 2))
    const hasty = createReceiptReader({ processorMs: 1 })
    const poor = createReceiptReader({ maxMemoryMb: 90 })
    try {
      expect(await hasty.read({ path, content_type: 'image/jpeg' })).toEqual({ kind: 'gave_up' })
      expect(await poor.read({ path, content_type: 'image/jpeg' })).toEqual({ kind: 'crashed' })
    } finally {
      await Promise.all([hasty.close(), poor.close()])
    }
  },
)

const countStates = (data: string) => {
  const db = new Database(join(data, 'outlay.db'), { readonly: true })
  try {
    const count = (state: string) => db.prepare('SELECT count(*) FROM receipt_readings WHERE state = ?').pluck().get(state)
    return { read: count('read'), waiting: count('waiting') }
  } finally {
    db.close()
  }
}

test.runIf(isBuilt)(
  'receipts that wait when the server is killed in the middle are read after the next start',
  { timeout: 300_000 },
  async () => {
    const data = join(folder, 'killed')
    const files = inForm(2, 4)
    let server: BuiltServer | undefined
    try {
      const { token } = await initFolder(data)
      const env = { OUTLAY_READ_RECEIPTS: '1' }
      server = await startBuilt(data, env)
      const { url } = server
      for (let at = 0; at < files; at += 1)
        await capture({ token, url }, { bytes: await drawReceipt(receipt, 'scan', 10 + at), name: `${at}.jpg` })
      await expect.poll(() => countStates(data), { timeout: 60_000 }).toMatchObject({ read: 1 })
      await server.kill()
      expect(countStates(data)).toMatchObject({ waiting: files - 1 })
      server = await startBuilt(data, env)
      await expect.poll(() => countStates(data), { timeout: 60_000 }).toEqual({ read: files, waiting: 0 })
      await server.stop()
      server = undefined
      expect(await runBuilt('doctor', '--data', data)).toEqual({ ok: true, problems: [] })
    } finally {
      await server?.kill()
    }
  },
)

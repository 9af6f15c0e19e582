import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { ExportFormat } from '#shared/domain/exports/export-formats'
import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { Store } from '#main/store/core/store'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { insertAttachment } from '#main/store/records/files/attachment-writer'
import { noteBlob } from '#main/store/records/files/upload-writer'
import { runExport } from '#main/use-cases/exports/run-export'
import { type Seeded, createRandom, seed } from './seed'

/** How long an export took, and what it needed. */
interface ExportFigure {
  readonly name: string
  readonly seconds: number
  readonly megabytes: number
  /** The most memory of the process while it ran, which has what the seeding left. */
  readonly peakMb: number
}

/** How many photographs are drawn; the rest are these with other bytes behind their end. */
const drawnPhotos = 20

/** A photograph of a receipt: noise, which is as hard to compress as a photograph. */
async function drawPhoto(random: (below: number) => number) {
  const [width, height] = [1200 + random(800), 1600 + random(800)]
  const noise = { type: 'gaussian', mean: 160, sigma: 10 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: '#fff', noise } })
  return { width, height, bytes: await picture.jpeg({ quality: 80 }).toBuffer() }
}

/** Attaches a photograph to each of the first expenses. */
async function attachPhotos({ folder, admin_id }: Seeded, store: Store, count: number): Promise<void> {
  const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
  const random = createRandom(7)
  const drawn = []
  for (let index = 0; index < drawnPhotos; index++) drawn.push(await drawPhoto(random))
  const actor = { user_id: admin_id, origin: 'bench', request_id: null, if_match: null }
  for (let index = 0; index < count; index++) {
    const photo = drawn[index % drawnPhotos]
    if (!photo) continue
    const { width, height } = photo
    const received = await blobs.receive(one(Buffer.concat([photo.bytes, Buffer.from(String(index))])), { maxBytes: 2 ** 30 })
    await blobs.keep(received)
    await store.transact(actor, async (tx) => {
      const expense = await findExpense(tx, index + 1)
      if (!expense) throw new Error('There are fewer expenses than photographs.')
      const file = { sha256: received.sha256, bytes: received.bytes, content_type: 'image/jpeg' } as const
      await noteBlob(tx, { ...file, md5: received.md5, width, height, pages: null })
      const named = { ...file, file_name: `receipt-${index}.jpg`, user_id: admin_id, uploaded_at: tx.now }
      await insertAttachment(tx, expense, named)
    })
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function measure(seeded: Seeded, store: Store, asked: { format: ExportFormat; ids?: number[] }): Promise<ExportFigure> {
  const blobs = createBlobStore(seeded.folder, { randomId: () => systemClock.uid() })
  const path = join(seeded.folder, `export.${asked.format}`)
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  const start = performance.now()
  const task = {
    data_folder: seeded.folder,
    path,
    user_id: seeded.admin_id,
    locale: 'en',
    made_at: systemClock.now(),
    asked,
    handover: null,
    layout: null,
  } as const
  const { done } = await runExport(store, blobs, {
    task,
    watch: { onProgress: () => undefined, signal: new AbortController().signal },
  })
  clearInterval(timer)
  return {
    name: `${asked.format} of ${done} expenses`,
    seconds: (performance.now() - start) / 1000,
    megabytes: statSync(path).size / 1024 / 1024,
    peakMb: peak / 1024 / 1024,
  }
}

/** Measures exports of a list as tables, and of receipts as one PDF. */
export async function measureExports(
  say: (text: string) => void,
  { expenses, photos }: { expenses: number; photos: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  try {
    const seeded = await seed(join(folder, 'data'), expenses)
    const store = await Store.open(seeded.folder, { clock: systemClock, isOwner: false, cacheMb: 32 })
    await attachPhotos(seeded, store, photos)
    const ids = Array.from({ length: photos }, (_, index) => index + 1)
    for (const asked of [{ format: 'pdf', ids } as const, { format: 'csv' } as const, { format: 'xlsx' } as const]) {
      const { name, seconds, megabytes, peakMb } = await measure(seeded, store, asked)
      say(`${name}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(1)} MB, ${peakMb.toFixed(0)} MB of memory at most`)
    }
    await store.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

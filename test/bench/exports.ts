import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { ExportFormat } from '#shared/domain/exports/export-formats'
import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { Store } from '#main/store/core/store'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { insertAttachment } from '#main/store/records/files/attachments'
import { noteBlob } from '#main/store/records/files/uploads'
import { type Seeded, createRandom, seed } from './seed'

/** How long an export took, and what it needed. */
interface ExportFigure {
  readonly seconds: number
  readonly megabytes: number
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

const program = join(import.meta.dirname, '../main/cli.js')

/** The memory of a process now, in megabytes, without the mapped database; none where the system does not say. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** One export by the command line: a process of its own, so that its memory is only that of the export. */
async function measure(folder: string, format: ExportFormat, q: object): Promise<ExportFigure> {
  const path = join(folder, `export.${format}`)
  const out = openSync(path, 'w')
  const start = performance.now()
  const args = [program, 'export', 'expenses', '--data', folder, '--format', format, '--q', JSON.stringify(q)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', out, 'ignore'] })
  let peakMb = 0
  const timer = setInterval(() => (peakMb = Math.max(peakMb, memoryOf(child.pid))), 20)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  closeSync(out)
  if (code !== 0) throw new Error(`The export of ${format} ended with ${String(code)}.`)
  return { seconds: (performance.now() - start) / 1000, megabytes: statSync(path).size / 1024 / 1024, peakMb }
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
    await store.close()
    const withPhotos = { id_lteq: photos }
    for (const [format, q] of [
      ['pdf', withPhotos],
      ['zip', withPhotos],
      ['csv', {}],
      ['json', {}],
      ['xlsx', {}],
      ['hledger', {}],
    ] as const) {
      const { seconds, megabytes, peakMb } = await measure(seeded.folder, format, q)
      say(
        `${format} of ${q === withPhotos ? photos : expenses} expenses: ${seconds.toFixed(1)} s, ${megabytes.toFixed(1)} MB, ${peakMb.toFixed(0)} MB of memory at most`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

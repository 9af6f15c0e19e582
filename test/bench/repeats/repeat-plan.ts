import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Row } from '#db/schema'
import { drawReceipt } from '#main/demo/receipts'
import { inspectImage } from '#main/files/image-files'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { insertExpense } from '#main/store/records/expenses/expense-writer'
import { insertAttachment } from '#main/store/records/files/attachments'
import { noteReceipt } from '#main/store/records/files/receipt-readings'
import { noteReading } from '#main/store/records/files/reading-writer'
import { noteBlob } from '#main/store/records/files/uploads'
import type { Actor, Store, Tx } from '#main/store/core/store'

type Expense = Row<'expenses'>
type Random = (below: number) => number

/** A repeat that was planted. `split`: one of two parts. */
export interface Planted {
  readonly kind: 'shifted day' | 'retyped description' | 'other person' | 'split into two' | 'copied picture' | 'photographed again'
  readonly id: number
  readonly original_id: number
}

interface Plan {
  readonly originals: readonly Expense[]
  readonly random: Random
  readonly count: number
}

/** The expense again, as someone would record it, with what differs. */
function again(tx: Tx, original: Expense, differs: Partial<Expense>): Promise<Expense> {
  const { id: _i, uid: _u, version: _v, created_at: _c, updated_at: _t, deleted_at: _d, ...values } = original
  const { flags: _f, flag_level: _l, attachments_count: _a, comments_count: _k, activities_count: _n, ...rest } = values
  return insertExpense(tx, { ...rest, external_id: null, ...differs }, [])
}

function shiftedBy(occurred_at: string, days: number): string {
  const date = new Date(occurred_at)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().replace('.000Z', 'Z')
}

/** As someone types it again: without the supplier, in another case, without accents, words left out or swapped, a slip here and there. */
function retype(description: string, random: Random): string {
  const parts = description.split(' · ')
  const kept = parts.length > 1 ? parts.filter((part, index) => index > 0 && (!part.startsWith('doc ') || random(2) === 0)) : parts
  const plain = (kept.length > 0 ? kept : parts).join(' ').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/\s+/).filter((word) => /\d/.test(word) || word.length > 8 || random(5) > 0)
  const place = random(Math.max(1, words.length - 1))
  const [one, other] = [words[place], words[place + 1]]
  if (one !== undefined && other !== undefined && !/\d|doc/.test(one + other)) words.splice(place, 2, other, one)
  return words.map((word) => (word.length > 5 && !/\d/.test(word) && random(6) === 0 ? word.slice(0, 3) + word.slice(4) : word)).join(' ')
}

/** A fifth each: another day, another wording, another person, two parts. */
export async function plantRows(store: Store, actor: Actor, { originals, random, count }: Plan): Promise<Planted[]> {
  const people = [...new Set(originals.map(({ receiver_id }) => receiver_id))]
  const chosen = choose(originals, { random, count: (count * 4) / 5 })
  return store.transact(actor, async (tx) => {
    const planted: Planted[] = []
    for (const [index, original] of chosen.entries()) {
      const original_id = original.id
      const note = (kind: Planted['kind'], { id }: Expense) => planted.push({ kind, id, original_id })
      const days = (1 + random(3)) * (random(2) === 0 ? 1 : -1)
      const others = people.filter((id) => id !== original.receiver_id)
      const { description, occurred_at, amount_minor } = original
      if (index % 4 === 0) note('shifted day', await again(tx, original, { occurred_at: shiftedBy(occurred_at, days) }))
      else if (index % 4 === 1) {
        const retyped = retype(description ?? '', random) || null
        note('retyped description', await again(tx, original, { description: retyped, supplier_tax_id: null }))
      } else if (index % 4 === 2)
        note('other person', await again(tx, original, { receiver_id: others[random(others.length)] ?? original.receiver_id }))
      else
        for (const part of [Math.floor(amount_minor / 3), amount_minor - Math.floor(amount_minor / 3)])
          if (part > 0) note('split into two', await again(tx, original, { amount_minor: part, amount_scaled: part * 100 }))
    }
    return planted
  })
}

function choose(originals: readonly Expense[], { random, count }: { random: Random; count: number }): Expense[] {
  const left = [...originals]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)).flat()
}

/** How many expenses have a receipt of their own in addition to those that are copied. */
const decoys = 300

/**
 * Gives expenses receipts, and copies some of those: re-compressed and shrunk, on an expense of another person, another month and without
 * a word, so that nothing but the picture and the amount speak for it. Half are noisy photos, half clean scans.
 */
export async function plantPictures(store: Store, actor: Actor, { originals, random, count }: Plan): Promise<Planted[]> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-pictures-'))
  const chosen = choose(originals, { random, count: count + decoys })
  const people = [...new Set(originals.map(({ receiver_id }) => receiver_id))]
  const planted: Planted[] = []
  try {
    for (const [index, original] of chosen.entries()) {
      const lines = Array.from({ length: 1 + random(7) }, () => [`Item ${random(10_000)}`, (100 + random(50_000)) / 100] as const)
      const supplier = (original.supplier_name ?? 'Supplier').slice(0, 24)
      const kind = random(2) === 0 ? 'photo' : 'scan'
      const drawn = await drawReceipt({ kind, supplier, lines }, { day: original.occurred_at.slice(0, 10), currency: 'BRL' })
      const bytes = kind === 'photo' ? await withNoise(drawn.bytes) : drawn.bytes
      await attach(store, actor, { folder, expense: original, bytes })
      if (index >= count) continue
      const width = Math.round((drawn.width ?? 600) * (0.4 + random(40) / 100))
      const copy = await sharp(bytes)
        .resize({ width })
        .jpeg({ quality: 45 + random(30) })
        .toBuffer()
      const differs = { description: 'As agreed, see the picture', receiver_id: people[random(people.length)] ?? original.receiver_id }
      const elsewhere = { occurred_at: shiftedBy(original.occurred_at, 20), supplier_name: null, supplier_tax_id: null }
      const repeat = await store.transact(actor, (tx) => again(tx, original, { ...differs, ...elsewhere }))
      await attach(store, actor, { folder, expense: repeat, bytes: copy })
      planted.push({ kind: 'copied picture', id: repeat.id, original_id: original.id })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return planted
}

/**
 * Two photos of one receipt, as their readings: the same day and total are read from both, and nothing else is alike, not the files, their
 * pictures, or what is claimed, by whom, when and with what words.
 */
export async function plantPhotos(store: Store, actor: Actor, { originals, random, count }: Plan): Promise<Planted[]> {
  const people = [...new Set(originals.map(({ receiver_id }) => receiver_id))]
  const planted: Planted[] = []
  for (const original of choose(originals, { random, count: count + decoys })) {
    const said = { date: original.occurred_at.slice(0, 10), total: String(original.amount_minor) }
    await attachRead(store, actor, { expense_id: original.id, said })
    if (planted.length === count) continue
    const amount_minor = original.amount_minor + 1 + random(5000)
    const claimed = { amount_minor, amount_scaled: amount_minor * 100, occurred_at: shiftedBy(original.occurred_at, 20) }
    const others = people.filter((id) => id !== original.receiver_id)
    const told = { description: null, supplier_name: null, supplier_tax_id: null, receiver_id: others[random(others.length)] ?? 0 }
    const repeat = await store.transact(actor, (tx) => again(tx, original, { ...claimed, ...told }))
    await attachRead(store, actor, { expense_id: repeat.id, said })
    planted.push({ kind: 'photographed again', id: repeat.id, original_id: original.id })
  }
  return planted
}

async function attachRead(
  store: Store,
  actor: Actor,
  { expense_id, said }: { expense_id: number; said: Readonly<Record<'date' | 'total', string>> },
): Promise<void> {
  const sha256 = randomUUID()
  const fields = (['date', 'total'] as const).map((field) => ({ field, value: said[field], probability: 1, fills: true, source: 'pixels' }))
  await store.transact(actor, async (tx) => {
    await noteBlob(tx, { sha256, md5: sha256, bytes: 1, content_type: 'image/jpeg', width: 1, height: 1, pages: null })
    await noteReceipt(tx, { sha256, state: 'read', engine: 'planted', tries: 1, fields: JSON.stringify(fields) })
    await attachFile(tx, { expense_id, file: { sha256, content_type: 'image/jpeg', bytes: 1 } })
  })
}

async function attachFile(
  tx: Tx,
  { expense_id, file }: { expense_id: number; file: { sha256: string; content_type: string; bytes: number } },
): Promise<void> {
  const row = await findExpense(tx, expense_id)
  const named = { ...file, file_name: 'receipt', description: null, user_id: tx.actor.user_id, uploaded_at: tx.now }
  if (row) await insertAttachment(tx, row, named)
}

/** As a camera takes it. */
async function withNoise(bytes: Uint8Array): Promise<Uint8Array> {
  const { width, height } = await sharp(bytes).metadata()
  const noise = { type: 'gaussian', mean: 128, sigma: 22 } as const
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer()
  return sharp(bytes)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function attach(
  store: Store,
  actor: Actor,
  { folder, expense, bytes }: { folder: string; expense: Expense; bytes: Uint8Array },
): Promise<void> {
  const sha256 = randomUUID()
  const path = join(folder, sha256)
  writeFileSync(path, bytes)
  const { format } = await sharp(bytes).metadata()
  const content_type = format === 'png' ? 'image/png' : 'image/jpeg'
  const limits = { maxPixels: 50_000_000, maxTiffPages: 1, maxPdfPages: 1, maxXmlDepth: 1 }
  const inspection = await inspectImage(path, content_type, limits)
  rmSync(path)
  if (inspection.kind !== 'ok') throw new Error(`A receipt was refused: ${inspection.reason}`)
  const size = bytes.byteLength
  await store.transact(actor, async (tx) => {
    await noteBlob(tx, { sha256, md5: sha256, bytes: size, content_type, width: 1, height: 1, pages: null })
    await noteReading(tx, { sha256, content_type, picture_hash: inspection.picture_hash })
    await attachFile(tx, { expense_id: expense.id, file: { sha256, content_type, bytes: size } })
  })
}

import { readFile } from 'node:fs/promises'
import { uploadCredentials, uploadFields } from '#shared/contract/uploads'
import { FileTooLarge } from '#main/files/blob-store'
import { findBlob } from '#main/store/records/files/blob-reader'
import { findRow, listExpensesLackingReceipts } from '#main/store/sync/remote-rows'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'
import { isPassing } from '../remote'
import { RemoteError } from '../remote-error'
import { sendFiles } from '../send-files'
import { defaultReceiptBudget } from '../steps/downloads'
import { apply } from './apply'
import { attachmentRow } from './convert-children'
import { readAs } from './plain-api'
import { type PlainExchange, plainly } from './reading'
import * as shapes from './shapes'
import { keepLocation } from './state'

const timeoutMs = 10 * 60_000
/** The largest possible file of a remote. */
const maxBytes = 200 * 1024 * 1024

/** Requests an address that the remote gave, without the token: the address carries its own permission. Throws {@link RemoteError}. */
async function reach(url: string, init: RequestInit = {}): Promise<Response> {
  if (!/^https?:\/\//.test(url)) throw new RemoteError('unreadable', 'The remote names an address that is none of the web.')
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw new RemoteError('unreachable', error instanceof Error ? error.message : String(error))
  }
}

/** Uploads the files that operations name (contract 4.16). */
export async function uploads(exchange: Exchange): Promise<Event> {
  const plain = await plainly(exchange)
  return sendFiles(exchange, (file) => upload(plain, file))
}

async function upload(exchange: PlainExchange, file: { sha256: string; file_name: string }): Promise<void> {
  const { api, blobs, store } = exchange
  const credentials = readAs(uploadCredentials, await api.read('/uploads/new'), 'upload credentials')
  const type = (await findBlob(store.reader, file.sha256))?.content_type ?? 'application/octet-stream'
  const content = await blobs.withFile(file.sha256, async ({ path }) => new Uint8Array(await readFile(path)))
  const form = new FormData()
  const fields = uploadFields(credentials, { file_name: file.file_name, content_type: type })
  for (const [name, value] of fields) form.append(name, value)
  form.append('file', new File([content], file.file_name, { type }))
  const response = await reach(credentials.host, { method: 'POST', body: form })
  const text = await response.text()
  const location = response.status === 201 ? elementOf(text, 'Location') : ''
  if (location === '') throw new RemoteError(isPassing(response.status) ? 'unreachable' : 'refused', text.slice(0, 500), response.status)
  await transact(exchange, (tx) => keepLocation(tx, { url: exchange.url, ...file }, location))
  exchange.tally.uploads += 1
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

function elementOf(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => entities[entity] ?? '')
}

/** Fetches missing receipt files within the budget, first those of expenses that wait for review. */
export async function downloads(exchange: Exchange): Promise<Event> {
  const plain = await plainly(exchange)
  let left = (await findReplicaValue(exchange.store.reader, 'receipt_budget')) ?? defaultReceiptBudget
  for (const expense_id of await listExpensesLackingReceipts(plain.store.reader)) left -= await fetchLacking(plain, expense_id, left)
  return 'done'
}

/** Fetches all missing receipts of an expense. Throws {@link RemoteError}. */
export async function fetchReceiptsOf(exchange: Exchange, expense_id: number): Promise<void> {
  await fetchLacking(await plainly(exchange), expense_id, Number.POSITIVE_INFINITY)
}

/** Fetches an expense's missing receipts within the budget. Returns their size in bytes. */
async function fetchLacking(exchange: PlainExchange, expense_id: number, budget: number): Promise<number> {
  const found = await exchange.api.find(`/expenses/${expense_id}`)
  const list = found ? readAs(shapes.expense, found.value, 'an expense').attachments : []
  let fetched = 0
  for (const shown of list) {
    if ((shown.bytes ?? 0) > budget - fetched || (await findRow(exchange.store.reader, 'attachments', shown.id))) continue
    fetched += await fetchOne(exchange, expense_id, shown)
  }
  return fetched
}

/** Fetches one file by its signed address; its hash identifies the receipt. Returns its size in bytes. */
async function fetchOne(exchange: PlainExchange, expense_id: number, shown: shapes.PlainAttachment): Promise<number> {
  const { blobs, log, tally } = exchange
  const response = await reach(shown.url)
  if (response.status !== 200 || !response.body) {
    log.info({ status: response.status, attachment: shown.id }, 'the file of a receipt did not come')
    return 0
  }
  const file = await blobs.receive(response.body, { maxBytes }).catch((error: unknown) => {
    if (error instanceof FileTooLarge) return undefined
    throw new RemoteError('unreachable', error instanceof Error ? error.message : String(error))
  })
  if (!file) return 0
  try {
    await blobs.keep(file)
    const { sha256, md5, bytes } = file
    const original = shown.file?.find(({ style }) => style === 'original')
    await apply(exchange, {
      fill: async (reading, tx) => {
        const { content_type } = shown
        const size = { width: original?.width ?? null, height: original?.height ?? null, pages: null }
        if (!(await findBlob(reading.reader, sha256)))
          reading.rows.add('blobs', { sha256, bytes, md5, content_type, ...size, created_at: tx.now }, sha256)
        reading.rows.add('attachments', await attachmentRow(reading, expense_id, { shown, sha256, bytes }))
      },
    })
    tally.downloads += 1
    return bytes
  } finally {
    await file.discard()
  }
}

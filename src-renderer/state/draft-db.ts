import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { z } from 'zod'
import { captureSources } from '#shared/domain/captures'
import { type Draft, type DraftFile, parseDraft, refusalSchema } from './draft'

/** The bytes of a receipt. */
export type StoredBlob = { readonly id: string; readonly blob: Blob }

interface Stores extends DBSchema {
  drafts: { key: string; value: Draft }
  blobs: { key: string; value: StoredBlob }
  captures: { key: string; value: OutboxFile }
}

let opening: Promise<IDBPDatabase<Stores>> | undefined

function open(): Promise<IDBPDatabase<Stores>> {
  const forget = () => {
    opening = undefined
  }
  opening ??= openDB<Stores>('outlay-drafts', 2, {
    upgrade: (db, oldVersion) => {
      if (oldVersion < 1) {
        db.createObjectStore('drafts', { keyPath: 'id' })
        db.createObjectStore('blobs', { keyPath: 'id' })
      }
      db.createObjectStore('captures', { keyPath: 'key' })
    },
    blocking: () => {
      void opening?.then((db) => db.close())
      forget()
    },
    terminated: forget,
  }).catch((error: unknown) => {
    forget()
    throw error
  })
  return opening
}

const names = ['drafts', 'blobs', 'captures'] as const
type Change = IDBPTransaction<Stores, typeof names, 'readwrite'>

/** Runs the requests that `work` makes in one transaction of all stores; resolves only once it is on the disk. */
async function change(work: (transaction: Change) => ReadonlyArray<Promise<unknown>>): Promise<void> {
  const transaction = (await open()).transaction(names, 'readwrite', { durability: 'strict' })
  const requests = work(transaction)
  // A page that goes away has no time for the requests to be answered first.
  transaction.commit()
  // A request that fails says why; the end of the transaction says only that it was aborted.
  await Promise.all([...requests, transaction.done])
}

/** Every draft of a user that this device keeps, in the order they were begun. */
export async function readDrafts(user_uid: string): Promise<Draft[]> {
  const stored = await (await open()).getAll('drafts')
  return stored
    .map(parseDraft)
    .filter((draft) => draft?.user_uid === user_uid)
    .filter((draft) => draft !== undefined)
}

/** One draft; undefined when it is gone. */
export async function readDraft(id: string): Promise<Draft | undefined> {
  return parseDraft(await (await open()).get('drafts', id))
}

/** The bytes of a receipt; undefined when they are gone. */
export async function readBlob(id: string): Promise<Blob | undefined> {
  return (await (await open()).get('blobs', id))?.blob
}

/** Writes drafts and, in the same transaction, the bytes of new receipts. */
export function writeDrafts(written: readonly Draft[], added: readonly StoredBlob[] = []): Promise<void> {
  return change((transaction) => [
    ...written.map((draft) => transaction.objectStore('drafts').put(draft)),
    ...added.map((blob) => transaction.objectStore('blobs').put(blob)),
  ])
}

/** Notes where a receipt is uploaded, unless another window did; resolves to the receipt as it is then, or undefined where the disk has none. */
export async function writeUpload(draftId: string, fileId: string, upload: string): Promise<DraftFile | undefined> {
  const { store } = (await open()).transaction('drafts', 'readwrite', { durability: 'strict' })
  const draft = parseDraft(await store.get(draftId))
  const file = draft?.files.find(({ id }) => id === fileId)
  if (!draft || !file || file.upload !== null) return file
  const noted = { ...file, upload, uploads: file.uploads + 1 }
  await store.put({ ...draft, files: draft.files.map((one) => (one === file ? noted : one)) })
  return noted
}

/** Removes the bytes of receipts that no draft has, begun before `uid` (a UUIDv7): a younger one may still be restored. */
export async function removeOrphans(uid: string): Promise<void> {
  const db = await open()
  const drafts = (await db.getAll('drafts')).map(parseDraft)
  // Where a draft cannot be understood, nobody knows which receipts are its.
  if (drafts.includes(undefined)) return
  const kept = new Set(drafts.flatMap((draft) => draft?.files.map(({ id }) => id) ?? []))
  const orphans = (await db.getAllKeys('blobs', IDBKeyRange.upperBound(uid))).filter((id) => !kept.has(id))
  if (orphans.length > 0) await change((transaction) => orphans.map((id) => transaction.objectStore('blobs').delete(id)))
}

/** Removes a draft with its receipts for good. */
export function removeDraft({ id, files }: Draft): Promise<void> {
  return change((transaction) => [
    transaction.objectStore('drafts').delete(id),
    ...files.map((file) => transaction.objectStore('blobs').delete(file.id)),
  ])
}

const outboxSchema = z.object({
  key: z.string(),
  user_uid: z.string(),
  file: z.instanceof(File),
  /** The recorded expense that it is for; null: it goes to the inbox. */
  expense_id: z.number().nullable().default(null),
  /** Where the server keeps it, once it is uploaded for an expense. */
  upload: z.string().nullable().default(null),
  source: z.enum(captureSources),
  group: z.string().optional(),
  captured_at: z.string(),
  note: z.string().nullable(),
  refusal: refusalSchema.nullable(),
})

/**
 * A file that the server does not have yet. `key` is the idempotency key that it is sent under, made when it is kept; `refusal`: why the
 * server does not take it.
 */
export type OutboxFile = z.infer<typeof outboxSchema>

/** Every file of a user that this device has yet to send, but for receipts of drafts, the oldest first. */
export async function readStoredFiles(user_uid: string): Promise<OutboxFile[]> {
  const stored = await (await open()).getAll('captures')
  return stored.flatMap((one) => outboxSchema.safeParse(one).data ?? []).filter((file) => file.user_uid === user_uid)
}

/** Whether this device still has a file to send: another window may have sent it. */
export async function hasStoredFile(key: string): Promise<boolean> {
  return (await (await open()).count('captures', key)) === 1
}

/** Writes files; resolves once they are on the disk. */
export function writeFiles(written: readonly OutboxFile[]): Promise<void> {
  return change((transaction) => written.map((file) => transaction.objectStore('captures').put(file)))
}

/** Removes files that were sent or given up. */
export function removeStoredFiles(keys: readonly string[]): Promise<void> {
  return change((transaction) => keys.map((key) => transaction.objectStore('captures').delete(key)))
}

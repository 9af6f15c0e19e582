import { z } from 'zod'
import { captureSources } from '#shared/domain/captures'
import { uploadRefusals } from '#shared/domain/upload-refusals'
import { type Draft, parseDraft } from './draft'

/** The bytes of a receipt. */
export type StoredBlob = { readonly id: string; readonly blob: Blob }

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outlay-drafts', 2)
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        request.result.createObjectStore('drafts', { keyPath: 'id' })
        request.result.createObjectStore('blobs', { keyPath: 'id' })
      }
      request.result.createObjectStore('captures', { keyPath: 'key' })
    }
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        opening = undefined
        request.result.close()
      }
      request.result.onclose = () => {
        opening = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('indexedDB'))
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

type StoreName = 'drafts' | 'blobs' | 'captures'

/** Runs `work` in one transaction of all stores; resolves only once it is on the disk. */
async function change(work: (stores: Readonly<Record<StoreName, IDBObjectStore>>) => void): Promise<void> {
  const names: StoreName[] = ['drafts', 'blobs', 'captures']
  const transaction = (await open()).transaction(names, 'readwrite', { durability: 'strict' })
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('indexedDB'))
    const [drafts, blobs, captures] = [
      transaction.objectStore('drafts'),
      transaction.objectStore('blobs'),
      transaction.objectStore('captures'),
    ]
    work({ drafts, blobs, captures })
    // A page that goes away has no time for the requests to be answered first.
    transaction.commit()
  })
}

async function read(store: StoreName, query: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const request = query((await open()).transaction(store).objectStore(store))
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('indexedDB'))
  })
}

/** Every draft of a user that this device keeps, in the order they were begun. */
export async function readDrafts(user_uid: string): Promise<Draft[]> {
  const stored = await read('drafts', (store) => store.getAll())
  return (Array.isArray(stored) ? stored : [])
    .map(parseDraft)
    .filter((draft) => draft?.user_uid === user_uid)
    .filter((draft) => draft !== undefined)
}

/** One draft; undefined when it is gone. */
export async function readDraft(id: string): Promise<Draft | undefined> {
  return parseDraft(await read('drafts', (store) => store.get(id)))
}

/** The bytes of a receipt; undefined when they are gone. */
export async function readBlob(id: string): Promise<Blob | undefined> {
  const stored = await read('blobs', (store) => store.get(id))
  return typeof stored === 'object' && stored !== null && 'blob' in stored && stored.blob instanceof Blob
    ? stored.blob
    : undefined
}

/** Writes drafts and, in the same transaction, the bytes of new receipts. */
export function writeDrafts(written: readonly Draft[], added: readonly StoredBlob[] = []): Promise<void> {
  return change(({ drafts, blobs }) => {
    for (const draft of written) drafts.put(draft)
    for (const blob of added) blobs.put(blob)
  })
}

/** Removes the bytes of receipts that no draft has, begun before `uid` (a UUIDv7): a younger one may still be restored. */
export async function removeOrphans(uid: string): Promise<void> {
  const stored = await read('drafts', (store) => store.getAll())
  const drafts = (Array.isArray(stored) ? stored : []).map(parseDraft)
  // Where a draft cannot be understood, nobody knows which receipts are its.
  if (drafts.includes(undefined)) return
  const kept = new Set(drafts.flatMap((draft) => draft?.files.map(({ id }) => id) ?? []))
  const ids = await read('blobs', (store) => store.getAllKeys(IDBKeyRange.upperBound(uid)))
  const orphans = (Array.isArray(ids) ? ids : []).filter((id): id is string => typeof id === 'string' && !kept.has(id))
  if (orphans.length > 0) await change(({ blobs }) => orphans.forEach((id) => blobs.delete(id)))
}

/** Removes a draft with its receipts for good. */
export function removeDraft({ id, files }: Draft): Promise<void> {
  return change(({ drafts, blobs }) => {
    drafts.delete(id)
    for (const file of files) blobs.delete(file.id)
  })
}

const captureSchema = z.object({
  key: z.string(),
  user_uid: z.string(),
  file: z.instanceof(File),
  source: z.enum(captureSources),
  group: z.string().optional(),
  captured_at: z.string(),
  note: z.string().nullable(),
  refusal: z.object({ code: z.enum(uploadRefusals), reason: z.string() }).nullable(),
})

/**
 * A file on its way into the inbox. `key` is the idempotency key that it is sent under, made when it is kept; `refusal`: why the server
 * does not take it.
 */
export type StoredCapture = z.infer<typeof captureSchema>

/** Every capture of a user that this device has yet to send, the oldest first. */
export async function readStoredCaptures(user_uid: string): Promise<StoredCapture[]> {
  const stored = await read('captures', (store) => store.getAll())
  return (Array.isArray(stored) ? stored : [])
    .flatMap((one) => captureSchema.safeParse(one).data ?? [])
    .filter((capture) => capture.user_uid === user_uid)
}

/** Whether this device still has a capture to send: another window may have sent it. */
export async function hasStoredCapture(key: string): Promise<boolean> {
  return (await read('captures', (store) => store.count(key))) === 1
}

/** Writes captures; resolves once they are on the disk. */
export function writeCaptures(written: readonly StoredCapture[]): Promise<void> {
  return change(({ captures }) => {
    for (const capture of written) captures.put(capture)
  })
}

/** Removes captures that were sent or given up. */
export function removeStoredCaptures(keys: readonly string[]): Promise<void> {
  return change(({ captures }) => {
    for (const key of keys) captures.delete(key)
  })
}

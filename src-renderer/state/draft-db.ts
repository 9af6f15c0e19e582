import { type Draft, parseDraft } from './draft'

/** The bytes of a receipt. */
export type StoredBlob = { readonly id: string; readonly blob: Blob }

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outlay-drafts', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('drafts', { keyPath: 'id' })
      request.result.createObjectStore('blobs', { keyPath: 'id' })
    }
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close()
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

/** Runs `work` in one transaction of both stores; resolved only once it is on the disk. */
async function change(work: (stores: { drafts: IDBObjectStore; blobs: IDBObjectStore }) => void): Promise<void> {
  const transaction = (await open()).transaction(['drafts', 'blobs'], 'readwrite', { durability: 'strict' })
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('indexedDB'))
    work({ drafts: transaction.objectStore('drafts'), blobs: transaction.objectStore('blobs') })
  })
}

async function read(store: 'drafts' | 'blobs', query: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
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

/** Removes the bytes of receipts that no draft has, begun before `uid` (a UUIDv7): a younger one may still be put back. */
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

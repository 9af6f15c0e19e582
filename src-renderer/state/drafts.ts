import { readCapturedFile } from '../api/captures'
import { type Draft, type DraftFile, isBlank, newUid, parseDraft, uidDaysAgo } from './draft'
import { readBlob, readDraft, readDrafts, removeDraft, removeOrphans, writeDrafts } from './draft-db'
import { createPageStore, onReset } from '../api/page/page-state'
import { setStates } from './outbox'

/** The drafts of the signed-in user. */
export interface DraftsState {
  readonly user_uid: string | null
  readonly isLoaded: boolean
  readonly drafts: readonly Draft[]
  /** The last write to this device's disk went well. */
  readonly isKept: boolean
  /** The draft in the form; it may not be among the drafts while nothing is typed. */
  readonly currentId: string | null
}

/** The drafts, in memory as on the disk. Changed by the functions of this file only. */
export const useDrafts = createPageStore<DraftsState>(() => ({
  user_uid: null,
  isLoaded: false,
  drafts: [],
  isKept: true,
  currentId: null,
}))

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('outlay-drafts')
const writeDelayMs = 200
/** Receipts that the disk refused, for as long as the page is open. */
const notStored = new Map<string, Blob>()
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Reads the drafts of a user, once: what the page has afterwards is newer than its disk. Those discarded before are gone now; those another
 * window changes are read again.
 */
export async function loadDrafts(user_uid: string): Promise<void> {
  const known = useDrafts.getState()
  if (known.isLoaded && known.user_uid === user_uid) return
  const noted = readParting(user_uid)
  const onDisk = await readDrafts(user_uid).catch(() => [])
  const stored = sorted([...onDisk.filter(({ id }) => !noted.some((one) => one.id === id)), ...noted])
  for (const draft of stored.filter(({ is_discarded }) => is_discarded)) {
    await removeDraft(draft)
    forgetParting(draft.id)
  }
  useDrafts.setState({ user_uid, isLoaded: true, drafts: stored.filter(({ is_discarded }) => !is_discarded) })
  for (const { id } of noted) void storeDraft(id)
  void removeOrphans(uidDaysAgo(1)).catch(() => undefined)
  if (channel)
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string') void reread(data)
    }
}

async function reread(id: string): Promise<void> {
  const { drafts, user_uid } = useDrafts.getState()
  if (waiting.has(id)) return
  const stored = await readDraft(id)
  const rest = drafts.filter((draft) => draft.id !== id)
  useDrafts.setState({ drafts: stored && stored.user_uid === user_uid && !stored.is_discarded ? sorted([...rest, stored]) : rest })
}

function sorted(drafts: readonly Draft[]): Draft[] {
  return drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** A draft by its id; undefined when there is none. */
export function findDraft(id: string): Draft | undefined {
  return useDrafts.getState().drafts.find((draft) => draft.id === id)
}

/** Puts a draft in place of what it was, and writes it to the disk at the next pause. */
export function putDraft(draft: Draft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: sorted([...drafts.filter(({ id }) => id !== draft.id), draft]) }))
  clearTimeout(waiting.get(draft.id))
  waiting.set(
    draft.id,
    setTimeout(() => void storeDraft(draft.id), writeDelayMs),
  )
}

/** The drafts of which the disk does not have everything: on its way there, or refused. */
const unstored = new Set<string>()

/** Writes a draft to the disk now; returns whether the disk has it. */
export async function storeDraft(id: string, blobs: Parameters<typeof writeDrafts>[1] = []): Promise<boolean> {
  clearTimeout(waiting.get(id))
  waiting.delete(id)
  const draft = findDraft(id)
  if (!draft) return true
  unstored.add(id)
  const isKept = await writeDrafts([draft], blobs).then(
    () => true,
    () => false,
  )
  if (useDrafts.getState().isKept !== isKept) useDrafts.setState({ isKept })
  if (isKept) {
    // Unless it has changed meanwhile: then another write is to come.
    if (findDraft(id) === draft) {
      unstored.delete(id)
      forgetParting(id)
    }
    channel?.postMessage(id)
  }
  return isKept
}

const partingPrefix = 'outlay.draft.'
/** Drafts that this page noted as it went, or has read as such: another page's notes are not ours to forget. */
const parting = new Set<string>()

/**
 * Notes a draft of a page that goes: local storage has it before the page ends, while the disk may get it only after the next page has
 * read the drafts. Its receipts are on the disk already. Where local storage refuses, the disk alone has it.
 */
function noteParting(draft: Draft): void {
  parting.add(draft.id)
  try {
    localStorage.setItem(partingPrefix + draft.id, JSON.stringify(draft))
  } catch {
    // Full, or switched off.
  }
}

function forgetParting(id: string): void {
  if (parting.delete(id)) localStorage.removeItem(partingPrefix + id)
}

/** The drafts of a user that a page noted before it went, newer than those on the disk. */
function readParting(user_uid: string): Draft[] {
  const noted = Object.keys(localStorage).flatMap((key) => (key.startsWith(partingPrefix) ? (parseNoted(key) ?? []) : []))
  const theirs = noted.filter((draft) => draft.user_uid === user_uid)
  for (const { id } of theirs) parting.add(id)
  return theirs
}

function parseNoted(key: string): Draft | undefined {
  try {
    return parseDraft(JSON.parse(localStorage.getItem(key) ?? 'null'))
  } catch {
    return undefined
  }
}

/** Writes what the disk does not have to it now: before the page goes. */
export function flushDrafts(): void {
  for (const id of new Set([...waiting.keys(), ...unstored])) {
    const draft = findDraft(id)
    if (draft) noteParting(draft)
    void storeDraft(id)
  }
}

onReset(() => {
  flushDrafts()
  waiting.clear()
  unstored.clear()
  parting.clear()
  notStored.clear()
})

/** Changes a draft that is there. */
export function changeDraft(id: string, change: (draft: Draft) => Draft): void {
  const draft = findDraft(id)
  if (draft) putDraft(change(draft))
}

/** Changes one receipt of a draft. */
export function changeFile(draftId: string, fileId: string, change: (file: DraftFile) => DraftFile): void {
  changeDraft(draftId, (draft) => ({ ...draft, files: draft.files.map((file) => (file.id === fileId ? change(file) : file)) }))
}

/** Adds receipts to a draft and resolves once they are on the disk; where the disk refuses, the receipts say so. */
export async function addFiles(draft: Draft, files: readonly File[]): Promise<void> {
  const added = files.map((blob) => ({ blob, file: toDraftFile(blob) }))
  const ids = added.map(({ file }) => file.id)
  setStates(ids, { kind: 'storing' })
  const current = findDraft(draft.id) ?? draft
  putDraft({ ...current, files: [...current.files, ...added.map(({ file }) => file)] })
  const isKept = await storeDraft(
    draft.id,
    added.map(({ blob, file }) => ({ id: file.id, blob })),
  )
  if (!isKept) for (const { file, blob } of added) notStored.set(file.id, blob)
  setStates(ids, isKept ? undefined : { kind: 'not_stored' })
}

/** The bytes of a receipt; undefined when they are nowhere any more. */
export async function readReceipt(id: string): Promise<Blob | undefined> {
  const file = useDrafts
    .getState()
    .drafts.flatMap(({ files }) => files)
    .find((known) => known.id === id)
  if (file && file.capture_id !== null) return readCapturedFile(file.capture_id)
  return notStored.get(id) ?? readBlob(id)
}

function toDraftFile({ name, type, size }: File): DraftFile {
  const sending = { upload: null, uploads: 0, is_attached: false, capture_id: null, refusal: null }
  return { id: newUid(), name, content_type: type, bytes: size, ...sending }
}

/** Hides a draft; until the next start it can be restored. */
export function discardDraft(id: string): void {
  const draft = findDraft(id)
  if (!draft) return
  clearTimeout(waiting.get(id))
  waiting.delete(id)
  useDrafts.setState(({ drafts, currentId }) => ({
    drafts: drafts.filter((known) => known.id !== id),
    currentId: currentId === id ? null : currentId,
  }))
  const written = isBlank(draft) ? removeDraft(draft) : writeDrafts([{ ...draft, is_discarded: true }])
  void written.then(
    () => channel?.postMessage(id),
    () => undefined,
  )
}

/** Brings a discarded draft back. */
export async function restoreDraft(id: string): Promise<void> {
  const stored = await readDraft(id)
  if (!stored) return
  putDraft({ ...stored, is_discarded: false })
  await storeDraft(id)
}

/** Removes a draft that has become an expense. */
export async function finishDraft(draft: Draft): Promise<void> {
  clearTimeout(waiting.get(draft.id))
  waiting.delete(draft.id)
  useDrafts.setState(({ drafts }) => ({ drafts: drafts.filter(({ id }) => id !== draft.id) }))
  await removeDraft(draft).catch(() => undefined)
  channel?.postMessage(draft.id)
}

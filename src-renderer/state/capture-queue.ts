import type { Capture } from '#shared/contract/captures'
import { type CaptureDetails, captureFile, noteCaptures } from '../api/captures'
import { desktop } from '../api/desktop'
import { failureText } from '../api/failure-text'
import { hasTooManyPixels } from '../api/pictures'
import { newUid } from './draft'
import { hasStoredCapture, readStoredCaptures, removeStoredCaptures, type StoredCapture, writeCaptures } from './draft-db'
import { addSender, isAway, isSendingPaused, noteServerResponded, pauseSending, sendNow, withLock } from './sending'
import { createPageStore, onReset } from '../api/page/page-state'

/**
 * A file that the server does not have yet. `place`: being written to this device's disk, on it, or in this page alone and lost with it.
 * `problem`: why the last try to send it failed.
 */
export interface QueuedCapture extends StoredCapture {
  readonly place: 'storing' | 'device' | 'page'
  readonly problem: string | null
}

/** The queue as shown. */
export const useCaptureQueue = createPageStore<{ queued: readonly QueuedCapture[] }>(() => ({ queued: [] }))

/** A capture that was saved, and the key that it had in the queue. */
export type SavedCapture = { readonly key: string; readonly capture: Capture }

const atOnce = 6
/** How long changes are gathered before they are shown, in milliseconds: two hundred files redraw a list a few times, not 400. */
const gatherMs = 100
/** The desktop's server is in the same program: what it does not have is safe nowhere, and is said to be saved only by it. */
const isKeptHere = desktop === undefined

const queue = new Map<string, QueuedCapture>()
const running = new Set<string>()
/** What left the queue of this page, by key: the capture that it became, or null where it was given up. */
const left = new Map<string, number | null>()
const listeners = new Set<(saved: readonly SavedCapture[]) => void>()
let saved: SavedCapture[] = []
let gathering: ReturnType<typeof setTimeout> | undefined
let ownerUid: string | null = null
onReset(() => {
  for (const known of [queue, running, left]) known.clear()
  saved = []
  clearTimeout(gathering)
  gathering = undefined
  ownerUid = null
})

/** Whether the server still has to get it. */
export function isToSend({ refusal }: QueuedCapture): boolean {
  return refusal === null
}

/** The capture that a file became, while the queue may still show the file. */
export function captureIdOf(key: string): number | undefined {
  return left.get(key) ?? undefined
}

/** Notifies a listener of saved captures, in batches, until it is stopped. */
export function onCapturesSaved(listener: (saved: readonly SavedCapture[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function showSoon(): void {
  gathering ??= setTimeout(show, gatherMs)
}

function show(): void {
  gathering = undefined
  const batch = saved
  saved = []
  if (batch.length > 0) for (const listener of listeners) listener(batch)
  useCaptureQueue.setState({ queued: [...queue.values()] })
}

/** Loads what a user captured on this device and the server does not have yet. */
export function loadCaptures(user_uid: string): void {
  if (ownerUid !== user_uid) queue.clear()
  ownerUid = user_uid
  void takeStored().then(sendNow)
}

/** Adopts stored captures that are unknown here: of an earlier page, or of a window that was closed. */
async function takeStored(): Promise<void> {
  if (ownerUid === null || !isKeptHere) return
  const stored = await readStoredCaptures(ownerUid).catch(() => [])
  for (const capture of stored) {
    if (capture.user_uid !== ownerUid || queue.has(capture.key) || left.has(capture.key)) continue
    queue.set(capture.key, { ...capture, place: 'device', problem: null })
  }
  showSoon()
}

/** Captures files; returns the keys under which the queue has them. */
export function captureFiles(files: readonly File[], { source, group }: CaptureDetails): string[] {
  const added = files.map((file) => {
    // Of what a camera or a screen gives this is the moment at which it was made.
    const captured_at = new Date(file.lastModified).toISOString()
    return { key: newUid(), user_uid: ownerUid ?? '', file, source, group, captured_at, note: null, refusal: null }
  })
  void keep(added)
  return added.map(({ key }) => key)
}

/** Writes captures to the disk; only then are they sent, so that a page which is closed finds each again under its key. */
async function keep(captures: readonly StoredCapture[]): Promise<void> {
  for (const capture of captures) queue.set(capture.key, { ...capture, place: isKeptHere ? 'storing' : 'page', problem: null })
  showSoon()
  if (isKeptHere) {
    void navigator.storage?.persist?.()
    const isKept = await writeCaptures(captures).then(
      () => true,
      () => false,
    )
    for (const { key } of captures) change(key, { place: isKept ? 'device' : 'page' })
  }
  send()
}

/** Tries now what was refused, too. */
export function retryCaptures(keys: readonly string[]): void {
  for (const key of keys) change(key, { problem: null, refusal: null })
  sendNow()
}

/** Replaces a rejected file by another, under a new key. */
export async function replaceQueued(key: string, file: File): Promise<void> {
  const item = queue.get(key)
  if (!item) return
  await keep([{ ...toStored(item), key: newUid(), file, refusal: null }])
  dropQueued([key])
}

/** Writes a note on captures by their keys; on those that are not sent yet it waits on this device. Throws ApiError. */
export async function noteQueued(keys: readonly string[], note: string): Promise<void> {
  const sentIds = keys.flatMap((key) => left.get(key) ?? [])
  for (const key of keys) change(key, { note })
  const noted = keys.flatMap((key) => queue.get(key) ?? []).filter(({ place }) => place === 'device')
  if (noted.length > 0) await writeCaptures(noted.map(toStored))
  if (sentIds.length > 0) await noteCaptures(sentIds, note)
}

/** Gives up files that are not sent. */
export function dropQueued(keys: readonly string[]): void {
  for (const key of keys) {
    queue.delete(key)
    left.set(key, null)
  }
  if (isKeptHere) void removeStoredCaptures(keys).catch(() => undefined)
  showSoon()
}

function toStored({ place: _, problem: __, ...stored }: QueuedCapture): StoredCapture {
  return stored
}

function change(key: string, part: Partial<QueuedCapture>): void {
  const item = queue.get(key)
  if (item) queue.set(key, { ...item, ...part })
  showSoon()
}

addSender(() => {
  void takeStored().then(send)
  return [...queue.values()].some(isToSend)
})

function send(): void {
  if (isSendingPaused()) return
  for (const item of queue.values()) {
    if (running.size >= atOnce) return
    if (!running.has(item.key) && item.place !== 'storing' && isToSend(item)) void save(item)
  }
}

async function save({ key, user_uid }: QueuedCapture): Promise<void> {
  running.add(key)
  try {
    await withLock(`capture ${key}`, () => sendOne(key))
    noteServerResponded()
  } catch (error) {
    if (isAway(error)) {
      change(key, { problem: failureText(error) })
      pauseSending(error)
    } else if (user_uid === ownerUid) await refuse(key, { code: 'refused', reason: failureText(error) })
  } finally {
    running.delete(key)
    showSoon()
  }
  send()
}

async function sendOne(key: string): Promise<void> {
  const item = queue.get(key)
  if (!item) return
  // Another window may have sent it, and removed it.
  if (item.place === 'device' && !(await hasStoredCapture(key).catch(() => true))) return void queue.delete(key)
  if (await hasTooManyPixels(item.file)) return refuse(key, { code: 'too_many_pixels', reason: '' })
  const capture = await captureFile(item, key)
  const note = queue.get(key)?.note ?? null
  if (note !== null)
    await noteCaptures([capture.id], note).catch((error: unknown) => {
      // A capture that is gone by now needs none.
      if (isAway(error)) throw error
    })
  queue.delete(key)
  left.set(key, capture.id)
  saved.push({ key, capture })
  if (isKeptHere) await removeStoredCaptures([key]).catch(() => undefined)
}

/** What the server does not take is shown with its reason until the person removes it or sends something else in its place. */
async function refuse(key: string, refusal: NonNullable<StoredCapture['refusal']>): Promise<void> {
  change(key, { refusal })
  const item = queue.get(key)
  if (item?.place === 'device') await writeCaptures([toStored(item)]).catch(() => undefined)
}

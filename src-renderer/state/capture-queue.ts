import { create } from 'zustand'
import type { Capture } from '#shared/contract/captures'
import { type CaptureDetails, captureFile } from '../api/captures'
import { failureText } from '../api/failure-text'
import { newUid } from './draft'

/** A file that is not saved yet: only once the server has it on its disk does it leave the queue. */
export interface QueuedCapture extends CaptureDetails {
  readonly key: string
  readonly file: File
  readonly state:
    { readonly kind: 'waiting' } | { readonly kind: 'saving' } | { readonly kind: 'failed'; readonly reason: string }
}

/** The queue as it is shown. */
export const useCaptureQueue = create<{ queued: readonly QueuedCapture[] }>()(() => ({ queued: [] }))

/** A capture that was saved, and the key that it had in the queue. */
export type SavedCapture = { readonly key: string; readonly capture: Capture }

const atOnce = 6
/** How long changes are gathered before they are shown, in milliseconds: two hundred files redraw a list a few times, not 400. */
const gatherMs = 100

const queue = new Map<string, QueuedCapture>()
const listeners = new Set<(saved: readonly SavedCapture[], isLast: boolean) => void>()
let saved: SavedCapture[] = []
let gathering: ReturnType<typeof setTimeout> | undefined
let running = 0

/** Tells a listener what was saved, in batches that may be empty, until it is stopped; `isLast`: nothing more is on its way. */
export function onCapturesSaved(listener: (saved: readonly SavedCapture[], isLast: boolean) => void): () => void {
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
  const isLast = running === 0
  if (batch.length > 0 || isLast) for (const listener of listeners) listener(batch, isLast)
  useCaptureQueue.setState({ queued: [...queue.values()] })
}

/** Captures files; answers the keys under which the queue has them. What fails stays in it, with its file. */
export function captureFiles(files: readonly File[], details: CaptureDetails): string[] {
  const keys = files.map((file) => {
    const key = newUid()
    queue.set(key, { ...details, key, file, state: { kind: 'waiting' } })
    return key
  })
  proceed()
  showSoon()
  return keys
}

/** Tries what failed once more. */
export function retryCaptures(keys: readonly string[]): void {
  for (const key of keys) setState(key, { kind: 'waiting' })
  proceed()
}

/** Gives up files that are not saved. */
export function dropQueued(keys: readonly string[]): void {
  for (const key of keys) queue.delete(key)
  showSoon()
}

function setState(key: string, state: QueuedCapture['state']): void {
  const item = queue.get(key)
  if (item) queue.set(key, { ...item, state })
  showSoon()
}

function proceed(): void {
  for (const item of queue.values()) {
    if (running >= atOnce) return
    if (item.state.kind === 'waiting') void save(item)
  }
}

async function save({ key, file, ...details }: QueuedCapture): Promise<void> {
  running += 1
  setState(key, { kind: 'saving' })
  try {
    const capture = await captureFile(file, details)
    queue.delete(key)
    saved.push({ key, capture })
  } catch (error) {
    setState(key, { kind: 'failed', reason: failureText(error) })
  } finally {
    running -= 1
    showSoon()
    proceed()
  }
}

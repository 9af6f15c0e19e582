import type { Capture } from '#shared/contract/captures'
import { uploadRefusalOf } from '#shared/domain/upload-refusals'
import { attachUpload } from '../api/attachments'
import { type CaptureDetails, captureFile, noteCaptures } from '../api/captures'
import { ApiError } from '../api/client'
import { desktop } from '../api/desktop'
import { failureText } from '../api/failure-text'
import { createPageStore, onReset } from '../api/page/page-state'
import { hasTooManyPixels } from '../api/pictures'
import { uploadFile } from '../api/uploads'
import { newUid } from './draft'
import { hasStoredFile, type OutboxFile, readStoredFiles, removeStoredFiles, writeFiles } from './draft-db'
import { emit, isAway, type Job, type JobSource, sendNow, sendWaiting } from './sending'

/**
 * How far a file is, one of a draft too. None: this device's disk has it. `storing`: it is being written there; `not_stored`: only this
 * page has it. `uploading`: `share` is sent, 0 to 1. `failed`: the last try got no answer, another follows. `stopped`: by the person.
 * `unusable`: it cannot be sent; where `reason` is empty, its bytes are gone.
 */
export type FileState =
  | { readonly kind: 'storing' | 'not_stored' | 'stopped' }
  | { readonly kind: 'uploading'; readonly share: number }
  | { readonly kind: 'failed' | 'unusable'; readonly reason: string }

/** Why a file is not sent; empty where nothing is wrong. */
export function reasonOf(state: FileState | undefined): string {
  return state && 'reason' in state ? state.reason : ''
}

/** The files that go to the inbox, or to expenses that are recorded already; and the states of these and of the receipts of drafts, by id. */
export const useOutbox = createPageStore<{ readonly files: readonly OutboxFile[]; readonly states: Readonly<Record<string, FileState>> }>(
  () => ({ files: [], states: {} }),
)

/** How long changes are gathered before they are shown, in milliseconds: two hundred files redraw a list a few times, not 400. */
const gatherMs = 100
/** The desktop's server is in the same program: what it does not have is safe nowhere, and is said to be saved only by it. */
const isKeptHere = desktop === undefined

const files = new Map<string, OutboxFile>()
/** What left the outbox of this page, by key: the capture that it became, or null where there is none. */
const left = new Map<string, Capture | null>()
let saved: Capture[] = []
let gathering: ReturnType<typeof setTimeout> | undefined
let ownerUid: string | null = null
onReset(() => {
  for (const known of [files, left]) known.clear()
  saved = []
  clearTimeout(gathering)
  gathering = undefined
  ownerUid = null
})

/** Whether the server still has to get it, and did not refuse it. */
export function isUnsent({ key, refusal }: OutboxFile): boolean {
  return refusal === null && stateOf(key)?.kind !== 'unusable'
}

/** The capture that a file of this page became, while the outbox may still show the file. */
export function captureOf(key: string): Capture | undefined {
  return left.get(key) ?? undefined
}

function stateOf(key: string): FileState | undefined {
  return useOutbox.getState().states[key]
}

/** Sets how far files are. */
export function setStates(keys: readonly string[], state: FileState | undefined): void {
  useOutbox.setState(({ states }) => {
    const rest = Object.entries(states).filter(([key]) => !keys.includes(key))
    return { states: Object.fromEntries([...rest, ...(state ? keys.map((key) => [key, state] as const) : [])]) }
  })
}

function showSoon(): void {
  gathering ??= setTimeout(() => {
    gathering = undefined
    if (saved.length > 0) emit({ kind: 'captured', captures: saved })
    saved = []
    useOutbox.setState(({ states }) => ({
      files: [...files.values()],
      states: Object.fromEntries(Object.entries(states).filter(([key]) => !left.has(key))),
    }))
  }, gatherMs)
}

/** Loads what a user captured on this device and the server does not have yet. */
export function loadOutbox(user_uid: string): void {
  if (ownerUid !== user_uid) files.clear()
  ownerUid = user_uid
  void takeStored()
}

/** Adopts stored files that are unknown here: of an earlier page, or of a window that was closed. */
async function takeStored(): Promise<void> {
  if (ownerUid === null || !isKeptHere) return
  const stored = await readStoredFiles(ownerUid).catch(() => [])
  for (const file of stored) if (file.user_uid === ownerUid && !files.has(file.key) && !left.has(file.key)) files.set(file.key, file)
  showSoon()
  sendWaiting()
}

/** Captures files; returns the keys under which the outbox has them. */
export function captureFiles(added: readonly File[], details: CaptureDetails): string[] {
  return add(added, { ...details, expense_id: null })
}

/** Attaches a file to an expense that is recorded, or shows there why it cannot be. */
export function attachFile(file: File, expense_id: number, reason?: string): void {
  add([file], { source: 'drop', expense_id }, reason)
}

function add(added: readonly File[], to: CaptureDetails & Pick<OutboxFile, 'expense_id'>, unusable?: string): string[] {
  const made = added.map((file) => {
    // Of what a camera or a screen gives this is the moment at which it was made.
    const captured_at = new Date(file.lastModified).toISOString()
    return { ...to, key: newUid(), user_uid: ownerUid ?? '', file, captured_at, note: null, upload: null, refusal: null }
  })
  void keep(made, unusable)
  return made.map(({ key }) => key)
}

const isStored = ({ key }: OutboxFile) => isKeptHere && stateOf(key) === undefined

/** Writes files to the disk; only then are they sent, so that a page which is closed finds each again under its key. `reason`: why they are neither sent nor kept. */
async function keep(added: readonly OutboxFile[], reason?: string): Promise<void> {
  const keys = added.map(({ key }) => key)
  const isStoring = isKeptHere && reason === undefined
  for (const file of added) files.set(file.key, file)
  setStates(keys, reason === undefined ? { kind: isStoring ? 'storing' : 'not_stored' } : { kind: 'unusable', reason })
  showSoon()
  if (isStoring) {
    void navigator.storage?.persist?.()
    const isKept = await writeFiles(added).then(
      () => true,
      () => false,
    )
    setStates(keys, isKept ? undefined : { kind: 'not_stored' })
  }
  sendWaiting()
}

/** Tries now what was refused, stopped or not found, too; receipts of drafts as well. */
export function retryFiles(keys: readonly string[]): void {
  for (const key of keys) {
    change(key, { refusal: null })
    if (stateOf(key)) setStates([key], files.has(key) ? { kind: 'not_stored' } : undefined)
  }
  sendNow()
}

/** Replaces a rejected file by another, under a new key. */
export async function replaceInOutbox(key: string, file: File): Promise<void> {
  const item = files.get(key)
  if (!item) return
  await keep([{ ...item, key: newUid(), file, refusal: null }])
  dropFiles([key])
}

/** Writes a note on captures by their keys; on those that are not sent yet it waits on this device. Throws ApiError. */
export async function noteCaptured(keys: readonly string[], note: string): Promise<void> {
  const sentIds = keys.flatMap((key) => left.get(key)?.id ?? [])
  for (const key of keys) change(key, { note })
  const noted = keys.flatMap((key) => files.get(key) ?? []).filter(isStored)
  if (noted.length > 0) await writeFiles(noted)
  if (sentIds.length > 0) await noteCaptures(sentIds, note)
}

/** Gives up files that are not sent. */
export function dropFiles(keys: readonly string[]): void {
  for (const key of keys) leave(key, null)
  if (isKeptHere) void removeStoredFiles(keys).catch(() => undefined)
}

function leave(key: string, capture: Capture | null): void {
  files.delete(key)
  left.set(key, capture)
  if (capture) saved.push(capture)
  showSoon()
}

function change(key: string, part: Partial<OutboxFile>): void {
  const item = files.get(key)
  if (item) files.set(key, { ...item, ...part })
  showSoon()
}

function* jobsOfFiles(): Generator<Job> {
  for (const file of files.values()) {
    const { key } = file
    if (isUnsent(file) && stateOf(key)?.kind !== 'storing') yield { name: `capture ${key}`, run: (signal) => send(key, signal) }
  }
}

/** What the outbox has to send. */
export const outboxJobs: JobSource = { jobs: jobsOfFiles, refresh: () => void takeStored() }

async function send(key: string, signal: AbortSignal): Promise<void> {
  const item = files.get(key)
  if (!item) return
  const isOnDevice = isStored(item)
  try {
    // Another window may have sent it, and removed it.
    if (isOnDevice && !(await hasStoredFile(key).catch(() => true))) leave(key, null)
    else if (item.expense_id === null) await sendCapture(item)
    else await sendAttachment({ ...item, expense_id: item.expense_id }, signal)
  } catch (error) {
    if (!isAway(error)) return refuse(key, { code: 'refused', reason: failureText(error) })
    if (!isOnDevice) setStates([key], { kind: 'failed', reason: failureText(error) })
    throw error
  }
}

async function sendCapture({ key, ...item }: OutboxFile): Promise<void> {
  if (await hasTooManyPixels(item.file)) return refuse(key, tooManyPixels)
  const capture = await captureFile(item, key)
  const note = files.get(key)?.note ?? null
  if (note !== null)
    await noteCaptures([capture.id], note).catch((error: unknown) => {
      // A capture that is gone by now needs none.
      if (isAway(error)) throw error
    })
  await finish(key, capture)
}

/** The server has it: this device no longer needs it. */
async function finish(key: string, capture: Capture | null): Promise<void> {
  leave(key, capture)
  if (isKeptHere) await removeStoredFiles([key]).catch(() => undefined)
}

async function sendAttachment({ key, file, expense_id, upload }: OutboxFile & { expense_id: number }, signal: AbortSignal): Promise<void> {
  // A retry attaches the existing upload, in a later page too: if only the response was lost, nothing is attached twice.
  const sent = upload === null ? await uploadFrom(key, file, signal) : { upload }
  if ('refusal' in sent) return refuse(key, sent.refusal)
  await note(key, sent)
  await attachUpload(expense_id, sent.upload, key)
  await finish(key, null)
  emit({ kind: 'added', name: file.name })
}

type Refusal = NonNullable<OutboxFile['refusal']>
const tooManyPixels: Refusal = { code: 'too_many_pixels', reason: '' }

/** Uploads a file, one of a draft too, and shows how far it is. Resolves to its Location, or to why the server does not take it. */
export async function uploadFrom(key: string, file: File, signal: AbortSignal): Promise<{ upload: string } | { refusal: Refusal }> {
  if (await hasTooManyPixels(file)) return { refusal: tooManyPixels }
  const before = stateOf(key)
  const show = (share: number) => setStates([key], { kind: 'uploading', share })
  show(0)
  try {
    const upload = await uploadFile(file, { signal, onProgress: show })
    setStates([key], undefined)
    return { upload }
  } catch (error) {
    const isRefused = error instanceof ApiError && !isAway(error)
    setStates([key], isRefused || isAway(error) ? before : { kind: 'stopped' })
    if (!isRefused) throw error
    return { refusal: { code: uploadRefusalOf(error.message), reason: error.message } }
  }
}

/** What the server does not take is shown with its reason until the person removes it or sends something else in its place. */
function refuse(key: string, refusal: Refusal): Promise<void> {
  return note(key, { refusal })
}

async function note(key: string, part: Partial<OutboxFile>): Promise<void> {
  change(key, part)
  const item = files.get(key)
  if (item && isStored(item)) await writeFiles([item]).catch(() => undefined)
}

import { useEffect, useEffectEvent } from 'react'
import { attachmentRoutes } from '#shared/contract/attachments'
import { captureRoutes } from '#shared/contract/captures'
import { type Expense, expenseRoutes } from '#shared/contract/expenses'
import { ApiError, call } from '../api/client'
import { uploadFile } from '../api/uploads'
import { type Draft, type DraftFile, newUid } from './draft'
import {
  changeDraft,
  changeFile,
  findDraft,
  finishDraft,
  flushDrafts,
  loadDrafts,
  readReceipt,
  setActivity,
  storeDraft,
  useDrafts,
} from './drafts'
import { useFrame } from './frame'

/** What the interface is told of deliveries. */
export interface DeliveryEvents {
  /** The expense is recorded; its receipts may still be on their way. */
  onRecorded(expense: Expense): void
  /** A receipt was attached to an expense. */
  onAttached(receipt: DraftFile): void
  /** The server does not take the draft as it is; it can be changed and sent again. */
  onRefused(draft: Draft, error: ApiError): void
  onSignedOut(): void
  /** The server has no room for what was entered; it is sent again by itself. */
  onNoRoom(error: ApiError): void
}

const mostAtOnce = 4
const mostUploads = 3
const pauses = { firstMs: 1000, mostMs: 30_000 }

const inFlight = new Map<string, AbortController>()
let events: DeliveryEvents | null = null
let pauseMs = 0
let pause: ReturnType<typeof setTimeout> | undefined

/** Something to be done for a draft; jobs stand apart and are done side by side. */
type Job = { readonly id: string; readonly run: (signal: AbortSignal) => Promise<void> }

function* jobsOf(draft: Draft): Generator<Job> {
  const { activities } = useDrafts.getState()
  if (draft.stage.kind === 'sending') yield { id: `send ${draft.id}`, run: () => send(draft.id) }
  for (const file of draft.files) {
    const activity = activities[file.id]?.kind
    if (file.is_attached || activity === 'storing' || activity === 'stopped' || activity === 'failed') continue
    if (file.upload === null && file.capture_id === null)
      yield { id: `file ${file.id}`, run: (signal) => upload(draft.id, file, signal) }
    else if (draft.stage.kind === 'recorded') yield { id: `file ${file.id}`, run: () => attach(draft.id, file.id) }
  }
}

/** Starts whatever can be started now. */
export function deliver(): void {
  if (events === null || pause !== undefined) return
  for (const draft of useDrafts.getState().drafts)
    for (const job of jobsOf(draft)) {
      if (inFlight.size >= mostAtOnce) return
      if (!inFlight.has(job.id)) void start(job)
    }
}

/** Tries again at once what waits for the server. */
export function deliverNow(): void {
  clearTimeout(pause)
  pause = undefined
  deliver()
}

async function start(job: Job): Promise<void> {
  const controller = new AbortController()
  inFlight.set(job.id, controller)
  try {
    await withLock(job.id, () => job.run(controller.signal))
    pauseMs = 0
    useDrafts.setState({ isServerAway: false })
  } catch (error) {
    if (isAway(error)) waitForServer(error)
  } finally {
    inFlight.delete(job.id)
  }
  deliver()
}

/** Two windows never do the same job at once. */
async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`outlay ${name}`, work)
}

function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || [401, 408, 409, 429].includes(error.status))
}

function waitForServer(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) events?.onSignedOut()
  // Once, not with every try.
  if (error instanceof ApiError && error.status === 507 && pauseMs === 0) events?.onNoRoom(error)
  useDrafts.setState({ isServerAway: true })
  pauseMs = Math.min(pauses.mostMs, pauseMs === 0 ? pauses.firstMs : pauseMs * 2)
  clearTimeout(pause)
  pause = setTimeout(deliverNow, pauseMs)
}

async function send(draftId: string): Promise<void> {
  const draft = findDraft(draftId)
  if (draft?.stage.kind !== 'sending') return
  const { body, key } = draft.stage
  try {
    const expense = await call(expenseRoutes.create, { body, idempotencyKey: key })
    changeDraft(draftId, (current) => ({ ...current, stage: { kind: 'recorded', expense_id: expense.id }, refused: {} }))
    await storeDraft(draftId)
    events?.onRecorded(expense)
    await finishWhenComplete(draftId)
  } catch (error) {
    if (!(error instanceof ApiError) || isAway(error)) throw error
    const refused = Object.keys(error.fields).length > 0 ? error.fields : { message: [error.message] }
    changeDraft(draftId, (current) => ({ ...current, stage: { kind: 'editing' }, refused: toMutable(refused) }))
    await storeDraft(draftId)
    events?.onRefused(draft, error)
  }
}

function toMutable(fields: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, texts]) => [name, [...texts]]))
}

async function upload(draftId: string, file: DraftFile, signal: AbortSignal): Promise<void> {
  const blob = await readReceipt(file.id)
  if (!blob) return setActivity(file.id, { kind: 'failed', reason: 'missing' })
  setActivity(file.id, { kind: 'uploading', share: 0 })
  try {
    const location = await uploadFile(new File([blob], file.name, { type: file.content_type }), {
      signal,
      onProgress: (share) => setActivity(file.id, { kind: 'uploading', share }),
    })
    changeFile(draftId, file.id, (current) => ({ ...current, upload: location, uploads: current.uploads + 1 }))
    await storeDraft(draftId)
    setActivity(file.id, undefined)
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === 'AbortError'
    if (isAway(error)) setActivity(file.id, undefined)
    else setActivity(file.id, isStopped ? { kind: 'stopped' } : { kind: 'failed', reason: 'refused' })
    throw error
  }
}

async function attach(draftId: string, fileId: string): Promise<void> {
  const draft = findDraft(draftId)
  const file = draft?.files.find(({ id }) => id === fileId)
  if (draft?.stage.kind !== 'recorded' || !file || file.is_attached) return
  const { expense_id } = draft.stage
  const idempotencyKey = `${file.id}.${file.uploads}`
  try {
    if (file.capture_id !== null)
      await call(captureRoutes.attach, { body: { capture_ids: [file.capture_id], expense_id }, idempotencyKey })
    else await call(attachmentRoutes.create, { params: { expense_id }, body: { file: file.upload }, idempotencyKey })
    changeFile(draftId, fileId, (current) => ({ ...current, is_attached: true }))
    events?.onAttached(file)
    await finishWhenComplete(draftId)
  } catch (error) {
    if (!(error instanceof ApiError) || isAway(error)) throw error
    // The server no longer has what was uploaded: it is uploaded again.
    if (error.fields.file && file.uploads < mostUploads) changeFile(draftId, fileId, (current) => ({ ...current, upload: null }))
    else setActivity(fileId, { kind: 'failed', reason: error.message })
    await storeDraft(draftId)
  }
}

async function finishWhenComplete(draftId: string): Promise<void> {
  const draft = findDraft(draftId)
  if (draft?.stage.kind !== 'recorded') return
  if (draft.files.every(({ is_attached }) => is_attached)) await finishDraft(draft)
  else await storeDraft(draftId)
}

/** Hands a draft over: it is sent as soon as the server answers, once, whatever happens in between. */
export async function sendDraft(id: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  changeDraft(id, (draft) => ({ ...draft, stage: { kind: 'sending', key: newUid(), body: { ...body } }, refused: {} }))
  await storeDraft(id)
  deliverNow()
}

/** Stops the upload of a receipt. */
export function stopUpload(fileId: string): void {
  const running = inFlight.get(`file ${fileId}`)
  if (running) running.abort()
  else setActivity(fileId, { kind: 'stopped' })
}

/** Uploads a receipt that failed or was stopped, or attaches it, again. */
export function retryFile(fileId: string): void {
  setActivity(fileId, undefined)
  deliverNow()
}

/** Keeps the drafts of a user loaded, sent and counted while somebody is signed in. */
export function useDraftDelivery(user_uid: string, handlers: DeliveryEvents): void {
  const onRecorded = useEffectEvent(handlers.onRecorded)
  const onAttached = useEffectEvent(handlers.onAttached)
  const onRefused = useEffectEvent(handlers.onRefused)
  const onSignedOut = useEffectEvent(handlers.onSignedOut)
  const onNoRoom = useEffectEvent(handlers.onNoRoom)
  useEffect(() => {
    events = { onRecorded, onAttached, onRefused, onSignedOut, onNoRoom }
    void loadDrafts(user_uid).then(deliverNow)
    const stopCounting = useDrafts.subscribe(tellFrame)
    const onHide = () => {
      if (document.visibilityState === 'hidden') flushDrafts()
    }
    window.addEventListener('online', deliverNow)
    window.addEventListener('pagehide', flushDrafts)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      events = null
      stopCounting()
      window.removeEventListener('online', deliverNow)
      window.removeEventListener('pagehide', flushDrafts)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [user_uid])
}

/** The frame's dot: what waits, and whether the server answers. */
function tellFrame({ drafts, isServerAway }: ReturnType<typeof useDrafts.getState>): void {
  const waiting = drafts.filter(({ stage }) => stage.kind !== 'editing').length
  const editing = drafts.length - waiting
  useFrame.setState((frame) => {
    const { connection, counts } = frame
    const kind = isServerAway ? 'offline' : connection.kind === 'offline' ? 'local' : connection.kind
    // Each key that is typed changes a draft, and few of them the frame.
    if (kind === connection.kind && waiting === connection.waiting && editing === counts.capture) return frame
    return { connection: { kind, waiting }, counts: { ...counts, capture: editing } }
  })
}

import { useEffect, useEffectEvent } from 'react'
import { attachmentRoutes } from '#shared/contract/attachments'
import { captureRoutes } from '#shared/contract/captures'
import { type Expense, expenseRoutes } from '#shared/contract/expenses'
import { ApiError, call } from '../api/client'
import { hasTooManyPixels } from '../api/pictures'
import { uploadFile } from '../api/uploads'
import { uploadRefusalOf } from '#shared/domain/upload-refusals'
import { type Draft, type DraftFile, newUid } from './draft'
import {
  addFiles,
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
import { isToSend, loadCaptures, useCaptureQueue } from './capture-queue'
import {
  addSender,
  isAway,
  isSendingPaused,
  noteServerResponded,
  pauseSending,
  type SendingEvents,
  sendNow,
  startSending,
  withLock,
} from './sending'
import { onReset } from '../api/page/page-state'

/** The interface's callbacks for deliveries. */
export interface DeliveryEvents extends SendingEvents {
  /** The expense is recorded; its receipts may still be on their way. */
  onRecorded(expense: Expense): void
  /** A receipt was attached to an expense. */
  onAttached(receipt: DraftFile): void
  /** The server rejects the draft; the person can change it and send it again. */
  onRefused(draft: Draft, error: ApiError): void
}

const mostAtOnce = 4
const mostUploads = 3

const inFlight = new Map<string, AbortController>()
/** Drafts that were handed over and are still being written to the disk: sent before, a closed page would not know of it. */
const beingStored = new Set<string>()
let events: DeliveryEvents | null = null
onReset(() => {
  for (const running of inFlight.values()) running.abort()
  inFlight.clear()
  beingStored.clear()
})

/** A job for a draft; jobs are separate and run concurrently. */
type Job = { readonly id: string; readonly run: (signal: AbortSignal) => Promise<void> }

function* jobsOf(draft: Draft): Generator<Job> {
  const { activities } = useDrafts.getState()
  if (draft.stage.kind === 'sending' && !beingStored.has(draft.id)) yield { id: `send ${draft.id}`, run: () => send(draft.id) }
  for (const file of draft.files) {
    const activity = activities[file.id]?.kind
    if (file.is_attached || file.refusal !== null || activity === 'storing' || activity === 'stopped' || activity === 'failed') continue
    if (file.upload === null && file.capture_id === null) yield { id: `file ${file.id}`, run: (signal) => upload(draft.id, file, signal) }
    else if (draft.stage.kind === 'recorded') yield { id: `file ${file.id}`, run: () => attach(draft.id, file.id) }
  }
}

/** Starts whatever can be started now. */
export function deliver(): void {
  if (isSendingPaused()) return
  for (const draft of useDrafts.getState().drafts)
    for (const job of jobsOf(draft)) {
      if (inFlight.size >= mostAtOnce) return
      if (!inFlight.has(job.id)) void start(job)
    }
}
addSender(() => {
  deliver()
  return inFlight.size > 0
})

async function start(job: Job): Promise<void> {
  const controller = new AbortController()
  inFlight.set(job.id, controller)
  try {
    // Two windows never do the same job at once.
    await withLock(job.id, () => job.run(controller.signal))
    noteServerResponded()
  } catch (error) {
    if (isAway(error)) pauseSending(error)
  } finally {
    inFlight.delete(job.id)
  }
  deliver()
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
    if (isAway(error) || !(error instanceof ApiError)) throw error
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
  if (await hasTooManyPixels(new File([blob], file.name, { type: file.content_type })))
    return refuseFile(draftId, file.id, { code: 'too_many_pixels', reason: '' })
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
    const isRefused = error instanceof ApiError && !isAway(error)
    setActivity(file.id, isAway(error) || isRefused ? undefined : { kind: 'stopped' })
    if (!isRefused) throw error
    await refuseFile(draftId, file.id, { code: uploadRefusalOf(error.message), reason: error.message })
  }
}

/** A receipt that the server does not take is not sent again: the person removes it, or sends something else in its place. */
async function refuseFile(draftId: string, fileId: string, refusal: NonNullable<DraftFile['refusal']>): Promise<void> {
  changeFile(draftId, fileId, (current) => ({ ...current, refusal }))
  await storeDraft(draftId)
}

/** Puts another file in the place of a receipt that was refused. */
export async function replaceFile(draft: Draft, fileId: string, file: File): Promise<void> {
  await addFiles(draft, [file])
  await removeFile(draft.id, fileId)
  sendNow()
}

/** Takes a receipt out of a draft. An expense that waited for nothing else is done then. */
export async function removeFile(draftId: string, fileId: string): Promise<void> {
  changeDraft(draftId, (draft) => ({ ...draft, files: draft.files.filter(({ id }) => id !== fileId) }))
  await finishWhenComplete(draftId)
}

async function attach(draftId: string, fileId: string): Promise<void> {
  const draft = findDraft(draftId)
  const file = draft?.files.find(({ id }) => id === fileId)
  if (draft?.stage.kind !== 'recorded' || !file || file.is_attached) return
  const { expense_id } = draft.stage
  const idempotencyKey = `${file.id}.${file.uploads}`
  try {
    if (file.capture_id !== null) await call(captureRoutes.attach, { body: { capture_ids: [file.capture_id], expense_id }, idempotencyKey })
    else await call(attachmentRoutes.create, { params: { expense_id }, body: { file: file.upload }, idempotencyKey })
    changeFile(draftId, fileId, (current) => ({ ...current, is_attached: true }))
    events?.onAttached(file)
    await finishWhenComplete(draftId)
  } catch (error) {
    if (isAway(error) || !(error instanceof ApiError)) throw error
    // The server no longer has what was uploaded: it is uploaded again.
    if (error.fields.file && file.uploads < mostUploads) changeFile(draftId, fileId, (current) => ({ ...current, upload: null }))
    else changeFile(draftId, fileId, (current) => ({ ...current, refusal: { code: 'refused', reason: error.message } }))
    await storeDraft(draftId)
  }
}

async function finishWhenComplete(draftId: string): Promise<void> {
  const draft = findDraft(draftId)
  if (draft?.stage.kind !== 'recorded') return
  if (draft.files.every(({ is_attached }) => is_attached)) await finishDraft(draft)
  else await storeDraft(draftId)
}

/**
 * Hands a draft over: it is sent as soon as the server responds, once, whatever happens in between. Resolves to whether this device
 * has it on its disk; where it has not, the page has to stay open until it is sent.
 */
export async function sendDraft(id: string, body: Readonly<Record<string, unknown>>): Promise<boolean> {
  beingStored.add(id)
  changeDraft(id, (draft) => ({ ...draft, stage: { kind: 'sending', key: newUid(), body: { ...body } }, refused: {} }))
  const isKept = await storeDraft(id)
  beingStored.delete(id)
  sendNow()
  return isKept
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
  sendNow()
}

/** Keeps the drafts of a user loaded, sent and counted while they are signed in. */
export function useDraftDelivery(user_uid: string, handlers: DeliveryEvents): void {
  const onRecorded = useEffectEvent(handlers.onRecorded)
  const onAttached = useEffectEvent(handlers.onAttached)
  const onRefused = useEffectEvent(handlers.onRefused)
  const onSignedOut = useEffectEvent(handlers.onSignedOut)
  const onNoRoom = useEffectEvent(handlers.onNoRoom)
  useEffect(() => {
    events = { onRecorded, onAttached, onRefused, onSignedOut, onNoRoom }
    const stopSending = startSending(events)
    void loadDrafts(user_uid).then(sendNow)
    loadCaptures(user_uid)
    const stopCounting = [useDrafts.subscribe(notifyFrame), useCaptureQueue.subscribe(notifyFrame)]
    const onHide = () => {
      if (document.visibilityState === 'hidden') flushDrafts()
    }
    window.addEventListener('pagehide', flushDrafts)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      events = null
      stopSending()
      for (const stop of stopCounting) stop()
      window.removeEventListener('pagehide', flushDrafts)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [user_uid])
}

/** The frame's dot: what waits, and whether the server responds. What the server refused waits for the person, not to be sent. */
function notifyFrame(): void {
  const { drafts, isServerAway, activities } = useDrafts.getState()
  const isGoing = ({ id, is_attached, refusal }: DraftFile) => !is_attached && refusal === null && activities[id]?.kind !== 'failed'
  const isWaiting = ({ stage, files }: Draft) => stage.kind === 'sending' || (stage.kind === 'recorded' && files.some(isGoing))
  const handedOver = drafts.filter(isWaiting).length
  const waiting = handedOver + useCaptureQueue.getState().queued.filter(isToSend).length
  const editing = drafts.length - handedOver
  useFrame.setState((frame) => {
    const { connection, counts } = frame
    const kind = isServerAway ? 'offline' : connection.kind === 'offline' ? 'local' : connection.kind
    // Each key that is typed changes a draft, and few of them the frame.
    if (kind === connection.kind && waiting === connection.waiting && editing === counts.capture) return frame
    return { connection: { kind, waiting }, counts: { ...counts, capture: editing } }
  })
}

import { attachmentRoutes } from '#shared/contract/attachments'
import { captureRoutes } from '#shared/contract/captures'
import { expenseRoutes } from '#shared/contract/expenses'
import { ApiError, call } from '../api/client'
import { onReset } from '../api/page/page-state'
import { type Draft, type DraftFile, newUid } from './draft'
import { writeUpload } from './draft-db'
import { addFiles, changeDraft, changeFile, findDraft, finishDraft, readReceipt, storeDraft, useDrafts } from './drafts'
import { useFrame } from './frame'
import { isUnsent, setStates, uploadFrom, useOutbox } from './outbox'
import { emit, isAway, type Job, type JobSource, sendNow, stopJob, useSending } from './sending'

const mostUploads = 3

/** Drafts that were handed over and are still being written to the disk: sent before, a closed page would not know of it. */
const beingStored = new Set<string>()
onReset(() => beingStored.clear())

function* jobsOf(draft: Draft): Generator<Job> {
  const { states } = useOutbox.getState()
  if (draft.stage.kind === 'sending' && !beingStored.has(draft.id)) yield { name: `send ${draft.id}`, run: () => send(draft.id) }
  for (const file of draft.files) {
    const state = states[file.id]?.kind
    if (file.is_attached || file.refusal !== null || state === 'storing' || state === 'stopped' || state === 'unusable') continue
    const name = `file ${file.id}`
    if (file.upload === null && file.capture_id === null) yield { name, run: (signal) => upload(draft.id, file, signal) }
    else if (draft.stage.kind === 'recorded') yield { name, run: () => attach(draft.id, file.id) }
  }
}

function* jobsOfDrafts(): Generator<Job> {
  for (const draft of useDrafts.getState().drafts) yield* jobsOf(draft)
}

/** What drafts have to send. */
export const draftJobs: JobSource = { jobs: jobsOfDrafts }

async function send(draftId: string): Promise<void> {
  const draft = findDraft(draftId)
  if (draft?.stage.kind !== 'sending') return
  const { body, key } = draft.stage
  try {
    const expense = await call(expenseRoutes.create, { body, idempotencyKey: key })
    changeDraft(draftId, (current) => ({ ...current, stage: { kind: 'recorded', expense_id: expense.id }, refused: {} }))
    await storeDraft(draftId)
    emit({ kind: 'recorded', expense })
    await finishWhenComplete(draftId)
  } catch (error) {
    if (isAway(error) || !(error instanceof ApiError)) throw error
    const refused = Object.keys(error.fields).length > 0 ? error.fields : { message: [error.message] }
    changeDraft(draftId, (current) => ({ ...current, stage: { kind: 'editing' }, refused: toMutable(refused) }))
    await storeDraft(draftId)
    emit({ kind: 'rejected', draft, error })
  }
}

function toMutable(fields: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, texts]) => [name, [...texts]]))
}

async function upload(draftId: string, { id, name, content_type: type }: DraftFile, signal: AbortSignal): Promise<void> {
  const blob = await readReceipt(id)
  if (!blob) return setStates([id], { kind: 'unusable', reason: '' })
  const sent = await uploadFrom(id, new File([blob], name, { type }), signal)
  // Windows without locks may all have uploaded it: each attaches what the first of them noted, under the same key.
  const noted = 'upload' in sent ? await writeUpload(draftId, id, sent.upload).catch(() => undefined) : undefined
  changeFile(draftId, id, (current) => noted ?? { ...current, ...sent, uploads: current.uploads + ('upload' in sent ? 1 : 0) })
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
    if (file.capture_id !== null) emit({ kind: 'attached', capture_id: file.capture_id })
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
  if (!stopJob(`file ${fileId}`)) setStates([fileId], { kind: 'stopped' })
}

/** The frame's dot: what waits, and whether the server responds. What the server refused waits for the person, not to be sent. */
export function notifyFrame(): void {
  const { drafts } = useDrafts.getState()
  const { files: outbox, states } = useOutbox.getState()
  const { isServerAway } = useSending.getState()
  const isGoing = ({ id, is_attached, refusal }: DraftFile) => !is_attached && refusal === null && states[id]?.kind !== 'unusable'
  const isWaiting = ({ stage, files }: Draft) => stage.kind === 'sending' || (stage.kind === 'recorded' && files.some(isGoing))
  const handedOver = drafts.filter(isWaiting).length
  const waiting = handedOver + outbox.filter(isUnsent).length
  const editing = drafts.length - handedOver
  useFrame.setState((frame) => {
    const { connection, counts } = frame
    const kind = isServerAway ? 'offline' : connection.kind === 'offline' ? 'local' : connection.kind
    // Each key that is typed changes a draft, and few of them the frame.
    if (kind === connection.kind && waiting === connection.waiting && editing === counts.capture) return frame
    return { connection: { kind, waiting }, counts: { ...counts, capture: editing } }
  })
}

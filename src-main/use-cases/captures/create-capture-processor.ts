import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Row } from '#db/schema'
import { type CapturableType, mailType } from '#shared/domain/captures'
import { parseInstant } from '#shared/domain/dates'
import { instantIn } from '#shared/domain/timezones'
import { translate } from '#shared/i18n/translations'
import { BlobMissing, type BlobStore, type LocalFile, type ReceivedFile } from '#main/files/blob-store'
import { BucketUnreachable } from '#main/files/bucket'
import type { Inspector } from '#main/files/inspect'
import type { Prepared, SplitMail } from '#main/files/inspection'
import { Stopping } from '#main/lifetime'
import { findBlob } from '#main/store/records/files/blob-reader'
import { findProcessing, listCaptures, updateCapture } from '#main/store/records/files/captures'
import type { Reader, Store, Tx } from '#main/store/core/store'
import { noteBlob } from '#main/store/records/files/uploads'
import { languageOf } from '#main/store/records/users/user-language'
import { findUser } from '#main/store/records/users/user-reader'
import { recordCapture, withExtensionOf } from './captures'

/** Makes of captured files what is to be attached; what is waiting is in the database, so it survives. */
export interface CaptureProcessor {
  /** There may be captures to process: they are, two at a time, as soon as no more come for a moment. */
  wake(): void
  /** Resolves when these captures of a user are processed, before others. @throws what kept one from it: it is tried again later */
  settle(user_id: number, ids: readonly number[]): Promise<void>
  /** Ends after the capture that is processed just now. */
  close(): Promise<void>
}

/** What processing captures needs. */
export interface CaptureProcessing {
  readonly store: Store
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly log: Logger
  /** How long nothing may arrive before processing begins: storing dropped files has priority. */
  readonly quiet_ms?: number
  /** How long captures wait for a bucket that does not respond. */
  readonly bucket_rest_ms?: number
}

/** The most captures to process at once: turning a photo keeps a core busy, and the person needs the other cores. */
const atOnce = 2

/** Makes an instance's capture processor. */
export function createCaptureProcessor(parts: CaptureProcessing): CaptureProcessor {
  const { store, log, quiet_ms = 200, bucket_rest_ms = 10_000 } = parts
  const running = new Map<number, Promise<void>>()
  let round: Promise<void> | undefined
  let quiet: NodeJS.Timeout | undefined
  let [isWanted, isClosed] = [false, false]

  const process = (capture: Row<'captures'>): Promise<void> => {
    const job = running.get(capture.id) ?? processCapture(parts, capture).finally(() => running.delete(capture.id))
    running.set(capture.id, job)
    return job
  }
  const processAll = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false
      const takeNext = takeWaiting(store.reader)
      const lane = async () => {
        for (let next; !isClosed && (next = await takeNext()) !== undefined;) {
          const { id } = next
          await process(next).catch((err: unknown) => {
            if (!(err instanceof Stopping)) log.error({ err, capture_id: id }, 'a capture could not be processed')
            if (err instanceof BucketUnreachable) wakeIn(bucket_rest_ms)
          })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
    }
    round = undefined
  }
  const wakeIn = (ms: number) => {
    clearTimeout(quiet)
    if (isClosed) return
    quiet = setTimeout(() => {
      isWanted = true
      round ??= processAll()
    }, ms)
  }
  return {
    wake: () => wakeIn(quiet_ms),
    settle: async (user_id, ids) => {
      const isWaiting = (one: Row<'captures'>) => one.user_id === user_id && one.state === 'processing'
      await Promise.all((await listCaptures(store.reader, ids)).filter(isWaiting).map(process))
    },
    close: async () => {
      isClosed = true
      clearTimeout(quiet)
      await round
      await Promise.allSettled(running.values())
    },
  }
}

/** Returns waiting captures, oldest first, each once; later calls also return new ones, such as the files of a message. */
function takeWaiting(reader: Reader): () => Promise<Row<'captures'> | undefined> {
  let last = 0
  return async () => {
    for (;;) {
      const next = await findProcessing(reader, last)
      if (next === undefined) return undefined
      // Another lane may have taken it meanwhile.
      if (next.id <= last) continue
      last = next.id
      return next
    }
  }
}

async function processCapture(parts: CaptureProcessing, capture: Row<'captures'>): Promise<void> {
  const { blobs, inspector } = parts
  const { content_type, original_sha256 } = capture
  if (content_type === mailType)
    return split(parts, capture, await blobs.withFile(original_sha256, ({ path }) => inspector.splitMail(path)))
  const keepsLocation = capture.keeps_location === 1
  const prepare = ({ path }: LocalFile) => inspector.prepare({ path, content_type, keepsLocation })
  return replace(parts, capture, await blobs.withFile(original_sha256, prepare))
}

/** Replaces the captured file with the processed one; the original stays until the capture is used. */
async function replace(parts: CaptureProcessing, capture: Row<'captures'>, prepared: Prepared): Promise<void> {
  const { id, file_name } = capture
  const made = prepared.kind === 'made' ? await keep(parts, prepared.bytes) : undefined
  await transact(parts, capture, async (tx) => {
    const captured_at = await instantOf(tx, prepared.taken_at)
    const when = captured_at === undefined ? {} : { captured_at }
    if (prepared.kind === 'refused') return updateCapture(tx, id, { state: 'unusable', problem: prepared.reason, ...when })
    const stored = made ?? (await findBlob(tx, capture.original_sha256))
    if (!stored) throw new BlobMissing(capture.original_sha256)
    const { sha256, md5, bytes } = stored
    const content_type = prepared.kind === 'made' ? prepared.content_type : capture.content_type
    const { width = null, height = null } = prepared
    const pages = prepared.kind === 'same' ? (prepared.pages ?? null) : 1
    await noteBlob(tx, { sha256, md5, bytes, content_type, width, height, pages })
    const isConverted = content_type !== capture.content_type
    const name = isConverted ? { file_name: withExtensionOf(file_name, content_type) } : {}
    return updateCapture(tx, id, { state: 'ready', sha256, bytes, content_type, ...name, ...when })
  })
}

/** Makes the files of a message captures of one group, and deletes the message's capture. */
async function split(parts: CaptureProcessing, capture: Row<'captures'>, mail: SplitMail): Promise<void> {
  const { id, keeps_location, uid, group_uid } = capture
  if (mail.kind === 'refused') return transact(parts, capture, (tx) => updateCapture(tx, id, { state: 'unusable', problem: mail.reason }))
  const kept: Array<{ readonly file: ReceivedFile; readonly name: string; readonly content_type: CapturableType }> = []
  for (const { bytes, file_name: name, content_type } of mail.files) kept.push({ file: await keep(parts, bytes), name, content_type })
  await transact(parts, capture, async (tx) => {
    const sent_at = await instantOf(tx, mail.date)
    const note = await noteOf(tx, { mail, note: capture.note })
    for (const { file, name: file_name, content_type } of kept)
      await recordCapture(tx, file, {
        content_type,
        file_name,
        source: 'mail',
        group: group_uid ?? uid,
        note,
        captured_at: sent_at ?? capture.captured_at,
        keeps_location: keeps_location === 1,
      })
    await updateCapture(tx, id, { state: 'ready', deleted_at: tx.now })
  })
}

/** The most characters of a note. */
const longestNote = 1000

/** The subject of a message, with the attachments that did not become receipts. */
async function noteOf(tx: Tx, { mail, note }: { mail: Extract<SplitMail, { kind: 'ok' }>; note: string | null }): Promise<string | null> {
  const subject = mail.subject ?? note
  const user = await findUser(tx, tx.actor.user_id)
  if (mail.left_out.length === 0 || !user) return subject
  const left = translate(languageOf(user), 'mail:leftOut', { names: mail.left_out.join(', ') })
  return [subject, left].filter(Boolean).join(' · ').slice(0, longestNote)
}

async function keep({ blobs }: CaptureProcessing, bytes: Uint8Array): Promise<ReceivedFile> {
  const file = await blobs.receive(Readable.from([bytes]), { maxBytes: Number.MAX_SAFE_INTEGER })
  await blobs.keep(file)
  return file
}

/** Writes the result of a capture, unless it was deleted meanwhile. */
async function transact({ store }: CaptureProcessing, { id, user_id }: Row<'captures'>, work: (tx: Tx) => Promise<void>): Promise<void> {
  await store.transact({ user_id, origin: 'app', request_id: null, if_match: null }, async (tx) => {
    const [current] = await listCaptures(tx, [id])
    if (current?.state === 'processing') await work(tx)
  })
}

/** A camera's or mail's time as an instant, in the person's timezone if it has no offset; undefined if it is in the future. */
async function instantOf(tx: Tx, time: string | undefined): Promise<string | undefined> {
  if (time === undefined) return undefined
  const user = await findUser(tx, tx.actor.user_id)
  const isLocal = /T\d\d:\d\d:\d\d$/.test(time)
  const instant = isLocal && user ? instantIn(user.timezone, time) : parseInstant(time)
  return instant !== undefined && instant <= tx.now ? instant : undefined
}

import { open } from 'node:fs/promises'
import { asFileName, mailType } from '#shared/domain/captures'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import type { Actor } from '#main/store/core/store'
import { findLastMail, isTaken, noteMail, type ReceivedMail } from '#main/store/records/files/received-mails'
import { listMembershipsOf } from '#main/store/records/organizations/membership-reader'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { findAddressed } from '#main/use-cases/captures/address-for-receipts'
import { recordCapture } from '#main/use-cases/captures/captures'
import type { JobDeps } from '../job-deps'
import { type Job, createLoop } from '../loop'
import { type MailHead, readHead } from './mail-head'
import { type Mailbox, type MailboxMessage, mailboxName, openMailbox } from './mailbox'

const system: Actor = { user_id: 0, origin: 'system', request_id: null, if_match: null }
/** A longer head was not written by a person. */
const headBytes = 512 * 1024

/**
 * Makes captures of messages in the receipts mailbox, each for the member who sent it. A message is stored in the transaction that makes its capture:
 * an interrupted one is fetched again, and none becomes two captures.
 */
export function fetchMail(deps: JobDeps): Job {
  const { OUTLAY_IMAP_URL: url, OUTLAY_IMAP_MS: everyMs } = deps.settings
  let dueMs = 0
  let isClosed = false
  const round = async () => {
    const restMs = dueMs - deps.clock.monotonicMs()
    if (url === undefined || restMs > 0) return { kind: 'later', afterMs: url === undefined ? Infinity : restMs } as const
    dueMs = deps.clock.monotonicMs() + everyMs
    const mailbox = await openMailbox(url)
    try {
      const place = { mailbox: mailboxName(url), uid_validity: mailbox.uid_validity }
      for (const message of await mailbox.list(await findLastMail(deps.store.reader, place))) {
        if (isClosed) break
        await take(deps, { mailbox, message, place })
      }
    } finally {
      await mailbox.close()
    }
    return { kind: 'later', afterMs: everyMs } as const
  }
  const loop = createLoop({ ...deps, name: 'mailbox' }, round, (error) =>
    deps.log.error({ err: error }, 'the mailbox of receipts could not be read'),
  )
  return {
    wake: () => loop.wake(),
    close: async () => {
      isClosed = true
      await loop.close()
    },
  }
}

async function take(
  deps: JobDeps,
  { mailbox, message, place }: { mailbox: Mailbox; message: MailboxMessage; place: Pick<ReceivedMail, 'mailbox' | 'uid_validity'> },
): Promise<void> {
  const noted = { ...place, uid: message.uid, sha256: null, user_id: null, capture_id: null, reason: null, sender: null, subject: null }
  const { upload_max_bytes: maxBytes } = deps
  try {
    if (message.bytes > maxBytes) throw new FileTooLarge(maxBytes)
    const content = await mailbox.download(message.uid)
    if (!content) return
    const file = await deps.blobs.receive(content, { maxBytes })
    try {
      await store(deps, { file, noted })
    } finally {
      await file.discard()
    }
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    await deps.store.transact(system, (tx) => noteMail(tx, { ...noted, reason: 'too_large' }))
  }
}

/** Makes the capture, or stores why there is none. The message is on disk before. */
async function store(deps: JobDeps, { file, noted }: { file: ReceivedFile; noted: ReceivedMail }): Promise<void> {
  const { sha256 } = file
  const isRepeated = await isTaken(deps.store.reader, { mailbox: noted.mailbox, sha256 })
  const head = await readHead(await readBeginning(file.path)).catch(() => undefined)
  const whose = isRepeated ? ({ reason: 'repeated' } as const) : await findSender(deps, head)
  if ('reason' in whose) {
    const { from: sender = null, subject = null } = head ?? {}
    await deps.store.transact(system, (tx) => noteMail(tx, { ...noted, reason: whose.reason, sender, subject }))
    return
  }
  await deps.blobs.keep(file)
  const { user_id } = whose
  await deps.store.transact({ user_id, origin: 'mail', request_id: null, if_match: null }, async (tx) => {
    const capture_id = await recordCapture(tx, file, {
      content_type: mailType,
      source: 'mail',
      file_name: `${asFileName(head?.subject ?? 'mail')}.eml`,
      group: null,
      note: null,
      captured_at: null,
      keeps_location: false,
    })
    await noteMail(tx, { ...noted, sha256, user_id, capture_id })
  })
  deps.captures.wake()
}

/** The user of a message: by a personal address, otherwise by the sender if the mail server confirms them. Only members count. */
async function findSender(
  { store: { reader }, signing_secret, settings: { OUTLAY_IMAP_AUTHSERV: authserv } }: JobDeps,
  head: MailHead | undefined,
): Promise<{ readonly user_id: number } | { readonly reason: 'unknown_sender' | 'unproven' }> {
  const addressed = head && findAddressed(head.recipients, signing_secret)
  const user = addressed === undefined ? head?.from && (await findUserByEmail(reader, head.from)) : await findUser(reader, addressed)
  const isMember = user ? (await listMembershipsOf(reader, user.id)).length > 0 : false
  if (!user || !isMember || user.deleted_at !== null) return { reason: 'unknown_sender' }
  const isProven = addressed !== undefined || (authserv !== undefined && head?.isProven(authserv) === true)
  return isProven ? { user_id: user.id } : { reason: 'unproven' }
}

async function readBeginning(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

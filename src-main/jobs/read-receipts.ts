import { isAllowedContentType } from '#shared/domain/content-types'
import { createReceiptReader, readingEngine } from '#main/files/ocr/receipt-reader'
import { judgeAgain } from '#main/store/records/expenses/expense-writer'
import { listExpensesOfFile } from '#main/store/records/files/reading-reader'
import { nextWaitingReceipt, noteReceipt } from '#main/store/records/files/receipt-readings'
import { isReplica } from '#main/store/sync/replica-state'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

const restMs = 60_000
/** A receipt whose process crashed is read once more, in another process. */
const mostTries = 2

const start = { upload: 0, sha256: '' }
const system = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

/**
 * Reads receipts of uploads, captures and expenses, one at a time. Waiting receipts are in the database, so an interrupted program continues at its
 * next start. Expenses with such a file are then judged again, on a replica by its remote.
 */
export function readReceipts({ store, blobs, log, settings }: JobDeps): Job {
  const reader = createReceiptReader()
  let after = start
  const round = async () => {
    const later = { kind: 'later', afterMs: restMs } as const
    if (!settings.OUTLAY_READ_RECEIPTS) return later
    const next = await nextWaitingReceipt(store.reader, { after, isReplica: await isReplica(store.reader) })
    after = next?.after ?? start
    if (!next) return later
    const { sha256, content_type } = next
    if (!isAllowedContentType(content_type) || !(await blobs.has(sha256))) return { kind: 'again' } as const
    const outcome = await blobs.withFile(sha256, ({ path }) => reader.read({ path, content_type }))
    const tries = next.tries + 1
    const isAgain = outcome.kind === 'crashed' && tries < mostTries
    const state = isAgain ? 'waiting' : outcome.kind === 'crashed' ? 'unreadable' : outcome.kind
    const fields = outcome.kind === 'read' ? JSON.stringify(outcome.fields) : null
    await store.transact(system, async (tx) => {
      await noteReceipt(tx, { sha256, state, tries, fields, engine: readingEngine })
      if (outcome.kind !== 'read' || (await isReplica(tx))) return
      for (const expense of await listExpensesOfFile(tx, sha256)) await judgeAgain(tx, expense, { isWithRepeats: true })
    })
    return { kind: 'again' } as const
  }
  const loop = createLoop({ store, name: 'receipts', isLocal: true }, round, (error) =>
    log.error({ err: error }, 'receipts could not be read'),
  )
  return {
    wake: () => loop.wake(),
    close: async () => {
      await Promise.all([reader.close(), loop.close()])
    },
  }
}

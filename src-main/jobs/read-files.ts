import { invoiceOfCodes } from '#shared/codes/facts-of-code'
import { isAllowedContentType } from '#shared/domain/content-types'
import { judgeAgain } from '#main/store/records/expenses/expense-writer'
import type { InvoiceFile } from '#shared/invoices/invoice'
import type { Inspector } from '#main/files/inspect'
import type { DeclaredFile } from '#main/files/inspection'
import { listExpensesOfFile, listUnreadFiles } from '#main/store/records/files/reading-reader'
import { noteInvoiceOf, notePictureOf } from '#main/store/records/files/reading-writer'
import { isReplica } from '#main/store/sync/replica-state'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** Files per round. */
const sliceLength = 10
const restMs = 60_000

const reader = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

interface Found {
  readonly invoice?: InvoiceFile
  readonly picture_hash?: string
}

/** How to find each kind of key, by its table. */
const look: Readonly<Record<'invoice_keys' | 'picture_hashes', (inspector: Inspector, file: DeclaredFile) => Promise<Found>>> = {
  invoice_keys: async (inspector, file) => {
    const mayHaveInvoice = file.content_type.endsWith('xml') || file.content_type === 'application/pdf'
    const inspection = mayHaveInvoice ? await inspector.inspect(file) : undefined
    if (inspection?.kind === 'ok' && inspection.invoice) return { invoice: inspection.invoice }
    return { invoice: invoiceOfCodes(await inspector.findCodes(file)) }
  },
  picture_hashes: async (inspector, file) => {
    const inspection = await inspector.inspect(file)
    return inspection.kind === 'ok' ? { picture_hash: inspection.picture_hash } : {}
  },
}

/**
 * Reads the keys of files (invoices in XML or codes, perceptual hashes of images) that were not read on arrival: captures, and files from a remote, a
 * backup, or an older version. Also runs on a replica, since keys follow from files, once a file is fetched. Expenses with such a file are then
 * compared again, on a replica by its remote.
 */
export function readFiles({ store, blobs, inspector, log }: JobDeps): Job {
  let after = ''
  const round = async () => {
    const unread = await listUnreadFiles(store.reader, { after, limit: sliceLength })
    for (const { sha256, content_type, wanted } of unread) {
      if (!isAllowedContentType(content_type) || !(await blobs.has(sha256))) continue
      const found = await blobs.withFile(sha256, ({ path }) => look[wanted](inspector, { path, content_type }))
      await store.transact(reader, async (tx) => {
        if (wanted === 'picture_hashes') await notePictureOf(tx, sha256, found.picture_hash)
        else await noteInvoiceOf(tx, sha256, found.invoice)
        const isKnown = found.invoice !== undefined || found.picture_hash !== undefined
        if (!isKnown || (await isReplica(tx))) return
        for (const expense of await listExpensesOfFile(tx, sha256)) await judgeAgain(tx, expense, { isWithRepeats: true })
      })
    }
    after = unread.at(-1)?.sha256 ?? ''
    return unread.length > 0 ? ({ kind: 'again' } as const) : ({ kind: 'later', afterMs: restMs } as const)
  }
  return createLoop({ store, name: 'files', isLocal: true }, round, (error) => log.error({ err: error }, 'files could not be read'))
}

import { isAllowedContentType } from '#shared/domain/content-types'
import { listUnreadInvoices } from '#main/store/records/expenses/invoice-key-reader'
import { noteInvoiceKey } from '#main/store/records/expenses/invoice-key-writer'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** Read in one round: closing waits for no more than this. */
const sliceLength = 10
const restMs = 60_000

const reader = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

/**
 * Reads what XML files are known by as invoices where nobody did when they came: files of a remote, of a backup, of a time before
 * invoices were read. On a replica too, as it follows from the file; what has not been fetched is read once it has.
 */
export function readInvoices({ store, blobs, inspector, log }: JobDeps): Job {
  let after = ''
  const round = async () => {
    const unread = await listUnreadInvoices(store.reader, { after, limit: sliceLength })
    for (const { sha256, content_type } of unread) {
      if (!isAllowedContentType(content_type) || !(await blobs.has(sha256))) continue
      const { path } = await blobs.open(sha256)
      const inspection = await inspector.inspect({ path, content_type })
      const invoice_key = inspection.kind === 'ok' ? (inspection.invoice_key ?? null) : null
      await store.transact(reader, (tx) => noteInvoiceKey(tx, { sha256, invoice_key }))
    }
    after = unread.at(-1)?.sha256 ?? ''
    return unread.length > 0 ? ({ kind: 'again' } as const) : ({ kind: 'later', afterMs: restMs } as const)
  }
  return createLoop({ store, isLocal: true }, round, (error) => log.error({ err: error }, 'invoices could not be read'))
}

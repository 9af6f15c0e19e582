import { DraftRepeats } from '../../records/expense/draft-repeats'
import type { Draft } from '../../state/draft'
import { useDraftInvoices } from './invoice-notes'
import { useDraftHashes } from './reading/draft-hashes'

/** The expenses that a draft may repeat. */
export function RepeatNotes({ draft }: { draft: Draft }) {
  const { form, files, stage } = draft
  const invoices = useDraftInvoices(files)
  const hashes = [...useDraftHashes(files).values()]
  const invoice_keys = [...new Set(invoices.flatMap((invoice) => invoice?.key ?? []))]
  const capture_ids = files.flatMap(({ capture_id }) => capture_id ?? [])
  const except_id = stage.kind === 'recorded' ? stage.expense_id : undefined
  if (form.payer_id === null) return null
  const known = { files: hashes, invoice_keys, capture_ids, except_id }
  return <DraftRepeats organizationId={form.payer_id} draft={{ ...form, day: form.date, ...known }} />
}

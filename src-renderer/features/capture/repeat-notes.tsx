import { DraftRepeats } from '../../records/expense/draft-repeats'
import type { Draft } from '../../state/draft'
import { useDraftInvoices } from './invoice-notes'
import { queriesOf } from './reading/draft-readings'

/** The expenses that a draft may repeat. */
export function RepeatNotes({ draft }: { draft: Draft }) {
  const { form, files, stage } = draft
  const invoices = useDraftInvoices(files)
  const invoice_keys = [...new Set(invoices.flatMap((invoice) => invoice?.key ?? []))]
  const [{ capture_ids, files: uploads } = { capture_ids: [], files: [] }] = queriesOf(files)
  const except_id = stage.kind === 'recorded' ? stage.expense_id : undefined
  if (form.payer_id === null) return null
  const known = { files: uploads, invoice_keys, capture_ids, except_id }
  return <DraftRepeats organizationId={form.payer_id} draft={{ ...form, day: form.date, ...known }} />
}

import { useQueries } from '@tanstack/react-query'
import { DraftRepeats } from '../../records/expense/draft-repeats'
import type { Draft, DraftFile } from '../../state/draft'
import { readReceipt, useDrafts } from '../../state/drafts'
import { useDraftInvoices } from './invoice-notes'

/** The hashes (SHA-256) of the files of a draft that are on this device, as far as they are known: a page on plain HTTP makes none. */
function useDraftHashes(files: readonly DraftFile[]): string[] {
  const activities = useDrafts((state) => state.activities)
  return useQueries({
    queries: files.map(({ id, capture_id }) => ({
      queryKey: ['draft-hash', id],
      queryFn: async () => {
        const blob = await readReceipt(id)
        const digest = blob && (await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
        return digest ? [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : null
      },
      enabled: window.isSecureContext && capture_id === null && activities[id]?.kind !== 'storing',
      staleTime: Infinity,
      gcTime: 60_000,
    })),
  }).flatMap(({ data }) => data ?? [])
}

/** The expenses that a draft may repeat. */
export function RepeatNotes({ draft }: { draft: Draft }) {
  const { form, files, stage } = draft
  const invoices = useDraftInvoices(files)
  const hashes = useDraftHashes(files)
  const invoice_keys = [...new Set(invoices.flatMap((invoice) => invoice?.key ?? []))]
  const capture_ids = files.flatMap(({ capture_id }) => capture_id ?? [])
  const except_id = stage.kind === 'recorded' ? stage.expense_id : undefined
  if (form.payer_id === null) return null
  const known = { files: hashes, invoice_keys, capture_ids, except_id }
  return <DraftRepeats organizationId={form.payer_id} draft={{ ...form, day: form.date, ...known }} />
}

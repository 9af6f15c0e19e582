import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { FileCheck2, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Invoice, forgeryDoubts } from '#shared/invoices/invoice'
import type { Draft, DraftFile } from '../../state/draft'
import { readReceipt } from '../../state/drafts'
import { useOutbox } from '../../state/outbox'
import classes from './invoice-notes.module.css'
import { type Fill, readInvoiceFile } from './read-invoice'

/** What the last invoice filled into a draft. `name`: of its file. */
export type InvoiceFill = { readonly name: string; readonly fill: Fill }

async function readDraftInvoice({ id }: DraftFile): Promise<Invoice | null> {
  const blob = await readReceipt(id)
  return blob ? readInvoiceFile(blob) : null
}

/** The electronic invoices among files of a draft, null for those that are none; undefined while they are read. */
export function useDraftInvoices(files: readonly DraftFile[]): ReadonlyArray<Invoice | null | undefined> {
  const states = useOutbox(({ states }) => states)
  return useQueries({
    queries: files.map((file) => ({
      queryKey: ['draft-invoice', file.id],
      queryFn: () => readDraftInvoice(file),
      enabled: file.content_type.endsWith('xml') && states[file.id]?.kind !== 'storing',
      staleTime: Infinity,
      gcTime: 60_000,
    })),
  }).map(({ data }) => data)
}

/** What a draft's invoices filled in, and which of them look changed. */
export function InvoiceNotes({ draft, filled, onTakeBack }: { draft: Draft; filled?: InvoiceFill; onTakeBack: () => void }) {
  const { t } = useTranslation('invoices')
  const invoices = useDraftInvoices(draft.files)
  const count = new Set(invoices.flatMap((invoice) => invoice?.key ?? [])).size
  const changed = draft.files.filter((_, index) => forgeryDoubts.some((doubt) => invoices[index]?.doubts.includes(doubt)))
  return (
    <>
      {filled && (
        <p className={classes.note} role="status">
          <FileCheck2 size={16} aria-hidden />
          <span>
            {t('readFrom', {
              name: filled.name,
              fields: Object.keys(filled.fill.after)
                .filter((field) => field !== 'currency')
                .map((field) => t([`capture:field.${field}`, `ui:field.${field}`, `expense:fields.${field}`]))
                .join(', '),
            })}
          </span>
          <Button variant="default" size="compact-xs" onClick={onTakeBack}>
            {t('takeBack')}
          </Button>
        </p>
      )}
      {count > 1 && draft.stage.kind === 'editing' && (
        <p className={classes.note} role="note">
          <FileCheck2 size={16} aria-hidden />
          <span>{t('several', { count })}</span>
        </p>
      )}
      {changed.map(({ id, name }) => (
        <p key={id} className={classes.note} role="note">
          <TriangleAlert size={16} aria-hidden className={classes.alert} />
          <span>{t('changedFile', { name })}</span>
        </p>
      ))}
    </>
  )
}

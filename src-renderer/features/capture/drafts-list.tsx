import { ActionIcon } from '@mantine/core'
import { Hourglass, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DraftAmount } from '../../records/expense/draft-amount'
import type { Draft } from '../../state/draft'
import { useSending } from '../../state/sending'
import classes from './capture.module.css'
import type { ReadingProgress } from './reading/use-receipt-readings'

/** The drafts of this device: those to continue, and those being sent. */
export function DraftsList({
  drafts,
  currentId,
  progress: { read, waiting, reading },
  onOpen,
  onDiscard,
}: {
  drafts: readonly Draft[]
  currentId: string | null
  progress: ReadingProgress
  onOpen: (id: string) => void
  onDiscard: (draft: Draft) => void
}) {
  const { t } = useTranslation('capture')
  if (drafts.length === 0) return null
  const listed = drafts.map((draft) => ({ draft, names: namesOf(draft, t('untitled')) }))
  return (
    <section aria-labelledby="drafts-title">
      <header className={classes.sectionHead}>
        <h2 id="drafts-title" className={classes.sectionTitle}>
          {t('drafts.title', { count: drafts.length })}
        </h2>
        <span className={`${classes.quiet} tabular`} role="status">
          {waiting > 0 && t('reading.progress', { read, count: read + waiting })}
        </span>
      </header>
      <ul className={classes.drafts}>
        {listed.map(({ draft, names }) => (
          <li key={draft.id} className={classes.draft} data-current={draft.id === currentId || undefined}>
            <button type="button" className={classes.draftOpen} onClick={() => onOpen(draft.id)} aria-current={draft.id === currentId}>
              <span className={classes.draftName}>{names[0]}</span>
              <span className="tabular">
                <DraftAmount form={draft.form} />
              </span>
              <span className={classes.quiet}>
                {names[1]}
                {draft.files.length > 1 && ` · ${t('drafts.receipts', { count: draft.files.length })}`}
              </span>
              <DraftState draft={draft} isReading={reading.has(draft.id)} />
            </button>
            {draft.stage.kind !== 'sending' && (
              <ActionIcon aria-label={t('drafts.discard')} title={t('drafts.discard')} onClick={() => onDiscard(draft)}>
                <Trash2 size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a draft is called, the most telling first: who was paid, what for, or its file. */
function namesOf({ form, files }: Draft, untitled: string): string[] {
  const known = [form.supplier_name, form.description, files[0]?.name ?? ''].map((text) => text.trim()).filter((text) => text !== '')
  return known.length === 0 ? [untitled] : known
}

function DraftState({ draft: { stage, refused, files, form }, isReading }: { draft: Draft; isReading: boolean }) {
  const { t } = useTranslation('capture')
  const isAway = useSending((state) => state.isServerAway)
  if (stage.kind === 'editing') {
    if (Object.keys(refused).length > 0) return <span className={classes.wrong}>{t('drafts.cameBack')}</span>
    if (isReading) return <span className={classes.quiet}>{t('drafts.reading')}</span>
    const isCosted = (form.kind === 'distance' ? form.distance : form.amount) !== ''
    if (isCosted && form.date !== '') return <span className={classes.ready}>{t('drafts.ready')}</span>
    return <span className={classes.quiet}>{isCosted && t('drafts.noDate')}</span>
  }
  if (stage.kind === 'recorded' && files.some(({ refusal }) => refusal !== null))
    return <span className={classes.wrong}>{t('drafts.receiptRefused')}</span>
  const text = stage.kind === 'recorded' ? t('drafts.receiptsToSend') : isAway ? t('drafts.waiting') : t('drafts.sending')
  return (
    <span className={classes.quiet}>
      <Hourglass size={12} aria-hidden /> {text}
    </span>
  )
}

import { ActionIcon } from '@mantine/core'
import { Hourglass, Paperclip, Trash2 } from 'lucide-react'
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
  progress: { read, waiting },
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
        {drafts.map((draft) => (
          <li key={draft.id} className={classes.draft} data-current={draft.id === currentId || undefined}>
            <button type="button" className={classes.draftOpen} onClick={() => onOpen(draft.id)} aria-current={draft.id === currentId}>
              <span className={classes.draftName}>{draft.form.description.trim() || draft.files[0]?.name || t('untitled')}</span>
              {draft.files.length > 0 && (
                <span className={classes.quiet}>
                  <Paperclip size={12} aria-hidden /> {draft.files.length}
                  <span className="visually-hidden"> {t('drafts.receipts', { count: draft.files.length })}</span>
                </span>
              )}
              {draft.id === currentId && <span className={classes.inForm}>{t('drafts.inForm')}</span>}
              <DraftState draft={draft} />
              <span className={`${classes.quiet} tabular`}>
                <DraftAmount form={draft.form} />
              </span>
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

function DraftState({ draft: { stage, refused, files } }: { draft: Draft }) {
  const { t } = useTranslation('capture')
  const isAway = useSending((state) => state.isServerAway)
  if (stage.kind === 'editing')
    return Object.keys(refused).length > 0 ? <span className={classes.wrong}>{t('drafts.cameBack')}</span> : null
  if (stage.kind === 'recorded' && files.some(({ refusal }) => refusal !== null))
    return <span className={classes.wrong}>{t('drafts.receiptRefused')}</span>
  const text = stage.kind === 'recorded' ? t('drafts.receiptsToSend') : isAway ? t('drafts.waiting') : t('drafts.sending')
  return (
    <span className={classes.quiet}>
      <Hourglass size={12} aria-hidden /> {text}
    </span>
  )
}

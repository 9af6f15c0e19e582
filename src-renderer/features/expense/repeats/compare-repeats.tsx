import { ActionIcon, Modal } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useRepeats } from '#renderer/api/repeats'
import { EmptyState } from '#renderer/ui/feedback/empty-state'
import { ErrorState } from '#renderer/ui/feedback/error-state'
import { SkeletonRows } from '#renderer/ui/feedback/skeleton-rows'
import { useIsNarrow } from '#renderer/ui/grid/use-is-narrow'
import type { ExpenseAccess } from '../expense-access'
import { DecidePair } from './decide-pair'
import { claimsSame, PairFields } from './pair-fields'
import { PairSide } from './pair-side'
import classes from './repeats.module.css'

/** An expense next to one that it may repeat: receipts, fields, what speaks for it, and what to do about it. */
export function CompareRepeats({ expense, access, onClose }: { expense: Expense; access: ExpenseAccess; onClose: () => void }) {
  const { t } = useTranslation('repeats')
  const isNarrow = useIsNarrow()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={1120}
      fullScreen={isNarrow}
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Pairs expense={expense} access={access} onClose={onClose} />
    </Modal>
  )
}

function Pairs({ expense, access, onClose }: { expense: Expense; access: ExpenseAccess; onClose: () => void }) {
  const { t } = useTranslation('repeats')
  const { data, error, refetch } = useRepeats(expense.id)
  const [chosen, setChosen] = useState(0)
  if (error && !data) return <ErrorState happened={t('failed')} kept={t('failedKept')} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  const { repeats, hidden_count } = data
  const index = Math.min(chosen, repeats.length - 1)
  const repeat = repeats[index]
  const hidden = hidden_count > 0 && <p>{t('hidden', { count: hidden_count })}</p>
  if (!repeat) return hidden || <EmptyState sentence={t('none')} action={{ label: t('close'), run: onClose }} />
  return (
    <>
      {repeats.length > 1 && (
        <div className={classes.pager}>
          <ActionIcon aria-label={t('previous')} disabled={index === 0} onClick={() => setChosen(index - 1)}>
            <ChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span aria-live="polite">{t('position', { index: index + 1, count: repeats.length })}</span>
          <ActionIcon aria-label={t('next')} disabled={index === repeats.length - 1} onClick={() => setChosen(index + 1)}>
            <ChevronRight size={16} aria-hidden />
          </ActionIcon>
        </div>
      )}
      <ul className={classes.evidence} aria-label={t('evidenceLabel')}>
        {repeat.evidence.map((name) => (
          <li key={name}>{t(`evidence.${name}`)}</li>
        ))}
        {!claimsSame(expense, repeat.expense) && <li>{t('score', { score: repeat.score })}</li>}
      </ul>
      <div className={classes.sides}>
        {[expense, repeat.expense].map((one) => (
          <PairSide key={one.id} expense={one} isThis={one === expense} />
        ))}
      </div>
      <PairFields one={expense} other={repeat.expense} />
      {hidden}
      {access.seesAll && (
        <DecidePair
          key={repeat.expense.id}
          one={expense}
          other={repeat.expense}
          onDone={() => {
            if (repeats.length <= 1) onClose()
          }}
        />
      )}
    </>
  )
}

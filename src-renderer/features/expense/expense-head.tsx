import { ActionIcon, Tooltip } from '@mantine/core'
import { Maximize2, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { headOf } from '#shared/domain/suppliers/purchase'
import { CountedAmount } from '../../records/expense/counted-amount'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { StatusBadge } from '../../ui/values/status-badge'
import { UnconfirmedMark } from '../../records/expense/unconfirmed-mark'
import { useIsUnconfirmed } from '../../state/unconfirmed'
import classes from './expense.module.css'

/** What the expense is: supplier, purpose, amount (claimed and approved where they differ), status, claimant and day. `closeLabel`: what closing leads to. */
export function ExpenseHead({
  expense,
  onClose,
  closeLabel,
  isPage,
}: {
  expense: Expense
  onClose: () => void
  closeLabel?: string
  isPage: boolean
}) {
  const { t } = useTranslation('expense')
  const isWaiting = useIsUnconfirmed(expense)
  const { title, purpose } = headOf(expense)
  const name = title ?? `#${expense.id}`
  // After the frame's own title, which is set before painting.
  useEffect(() => {
    if (isPage) document.title = `${name} · Outlay`
  }, [isPage, name])
  return (
    <header className={classes.head}>
      <h2 className={classes.title} title={title}>
        {title ?? <span className={classes.quiet}>{t('noDescription')}</span>}
      </h2>
      <p className={classes.purpose} title={purpose}>
        {purpose}
      </p>
      <span className={classes.headAmount}>
        <CountedAmount expense={expense} />
      </span>
      <div className={classes.headTools}>
        {!isPage && (
          <Tooltip label={t('openPage')}>
            <ActionIcon component={Link} href={`/expenses/${expense.id}`} aria-label={t('openPage')}>
              <Maximize2 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <CloseTool label={closeLabel ?? t('close')} onClose={onClose} />
      </div>
      <div className={classes.subLine}>
        <StatusBadge status={expense.status} />
        <span className={classes.who} title={expense.receiver.name}>
          <PersonAvatar name={expense.receiver.name} sizePx={20} /> <span className={classes.clip}>{expense.receiver.name}</span>
        </span>
        <Instant value={expense.occurred_at} />
        <span className="tabular">#{expense.id}</span>
        {isWaiting && <UnconfirmedMark />}
      </div>
    </header>
  )
}

/** The button that leaves an expense, its key in the tooltip. */
export function CloseTool({ label, onClose }: { label: string; onClose: () => void }) {
  return (
    <Tooltip
      label={
        <span className={classes.tip}>
          {label} <KeyHint keys="escape" />
        </span>
      }
    >
      <ActionIcon aria-label={label} onClick={onClose}>
        <X size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

import { ActionIcon } from '@mantine/core'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Accountability } from '#shared/contract/accountabilities'
import type { AccountabilityStatus } from '#shared/domain/accountability-status'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './accountabilities.module.css'
import type { Steps } from './moves'
import { Totals } from './totals'

/** The props of a card. `isTabStop`: the Tab key stops here; the arrows continue from it. */
export type CardProps = {
  accountability: Accountability
  steps: Steps
  isTabStop: boolean
  isMoving: boolean
  onFocus: () => void
  onMove: (to: AccountabilityStatus) => void
}

/** An accountability on the board: what it is called, whose it is and its sum, and the steps that are offered. */
export function Card({ accountability, steps, isTabStop, isMoving, onFocus, onMove }: CardProps) {
  const { t } = useTranslation('accountabilities')
  const { id, title, receiver, expense_ids, totals } = accountability
  const tabIndex = isTabStop ? 0 : -1
  const step = (to: AccountabilityStatus, { keys, Icon }: { keys: string; Icon: typeof ArrowLeft }) => {
    const label = t('moveTo', { status: t(`status.${to}`) })
    return (
      <ActionIcon
        size={24}
        tabIndex={tabIndex}
        aria-label={t('moveCard', { title, status: t(`status.${to}`) })}
        title={t('withKey', { label, key: keys.toUpperCase() })}
        onClick={(event) => {
          if (event.detail < 2) onMove(to)
        }}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <li className={classes.card} data-moving={isMoving || undefined} onFocus={onFocus}>
      <Link href={`/accountabilities/${id}`} className={classes.cardLink} tabIndex={tabIndex} data-card={id}>
        <span className={classes.cardTitle}>{title}</span>
        <span className={classes.quiet}>{receiver.name}</span>
        <span className={classes.quiet}>{t('expenses', { count: expense_ids.length })}</span>
        {totals.length > 0 && <Totals totals={totals} />}
      </Link>
      {(steps.back ?? steps.forward) && (
        <span className={classes.cardSteps}>
          {steps.back && step(steps.back, { keys: 'b', Icon: ArrowLeft })}
          {steps.forward && step(steps.forward, { keys: 'f', Icon: ArrowRight })}
        </span>
      )}
    </li>
  )
}

/** The keys of the board, in words. */
export function BoardKeys() {
  const { t } = useTranslation('accountabilities')
  return (
    <span className={classes.keyLine}>
      <KeyHint keys="arrowup arrowdown arrowleft arrowright" /> {t('keys.go')} <KeyHint keys="b" /> <KeyHint keys="f" /> {t('keys.move')}{' '}
      <KeyHint keys="enter" /> {t('keys.open')}
    </span>
  )
}

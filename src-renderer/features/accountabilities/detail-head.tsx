import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityStatuses, type AccountabilityStatus } from '#shared/domain/accountability-status'
import { actOnSaved } from '../../state/open-forms'
import type { Money } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './accountabilities.module.css'
import type { Steps } from './moves'
import { addTotals } from '../../ui/values/sums'
import { Totals } from './totals'

/** The props of the head; omitted acts are not offered. */
export type DetailHeadProps = {
  accountability: Accountability
  status: AccountabilityStatus
  steps: Steps
  onMove: (to: AccountabilityStatus) => void
  onEdit: () => void
  onAdd?: () => void
  onDelete?: () => void
}

/** What an accountability is, how far it has come, and what can be done with it. */
export function DetailHead({ accountability, status, steps, onMove, onEdit, onAdd, onDelete }: DetailHeadProps) {
  const { t } = useTranslation('accountabilities')
  const { title, description, receiver, responsible_user, created_at, expense_ids, totals } = accountability
  const { approved_totals: approved, paid_totals: paid } = accountability
  const unpaid = status === 'finished' ? addTotals([...approved, ...paid.map((sum) => ({ ...sum, sign: -1 as const }))]) : []
  return (
    <header className={classes.head}>
      <div className={classes.headLine}>
        <h1 className={classes.title}>{title}</h1>
        <span className={classes.spring} />
        <span className={classes.actions}>
          {onDelete && (
            <Button variant="subtle" color="gray" onClick={onDelete}>
              {t('delete.button')}
            </Button>
          )}
          <Button variant="default" rightSection={<KeyHint keys="e" />} onClick={onEdit}>
            {t('edit')}
          </Button>
          {onAdd && (
            <Button variant="default" rightSection={<KeyHint keys="n" />} onClick={onAdd}>
              {t('add')}
            </Button>
          )}
          {steps.back && <StepButton to={steps.back} keys="b" onMove={onMove} />}
          {steps.forward && <StepButton to={steps.forward} keys="f" onMove={onMove} isMain />}
        </span>
      </div>
      <ol className={classes.way} aria-label={t('way')}>
        {accountabilityStatuses.map((step) => (
          <li key={step} aria-current={step === status ? 'step' : undefined}>
            {t(`status.${step}`)}
          </li>
        ))}
      </ol>
      <dl className={classes.facts}>
        <dt>{t('field.receiver')}</dt>
        <dd>{receiver.name}</dd>
        <dt>{t('createdBy')}</dt>
        <dd>
          {responsible_user.name}, <Instant value={created_at} />
        </dd>
        <dt>{t('claimed')}</dt>
        <dd className={classes.sum}>
          <span className="tabular">{t('expenses', { count: expense_ids.length })}</span>
          <Totals totals={totals} />
        </dd>
        <SumLine name={t('approvedSum')} totals={approved} />
        <SumLine name={t('paidSum')} totals={paid} />
        <SumLine name={t('unpaidSum')} totals={unpaid} />
      </dl>
      {description !== null && <p className={classes.description}>{description}</p>}
    </header>
  )
}

/** A sum of the expenses; nothing where none has one. */
function SumLine({ name, totals }: { name: string; totals: readonly Money[] }) {
  if (totals.length === 0) return null
  return (
    <>
      <dt>{name}</dt>
      <dd className={classes.sum}>
        <Totals totals={totals} />
      </dd>
    </>
  )
}

function StepButton({
  to,
  keys,
  isMain = false,
  onMove,
}: {
  to: AccountabilityStatus
  keys: string
  isMain?: boolean
  onMove: (to: AccountabilityStatus) => void
}) {
  const { t } = useTranslation('accountabilities')
  const label = t(isMain ? `step.${to}` : `stepBack.${to}`)
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      rightSection={<KeyHint keys={keys} />}
      onClick={(event) => {
        // The button of the next step takes the place of this one: a double click is one step.
        if (event.detail < 2) actOnSaved(label, () => onMove(to))
      }}
    >
      {label}
    </Button>
  )
}

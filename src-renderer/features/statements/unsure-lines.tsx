import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StatementReport } from '../../api/statements/statements'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './statements.module.css'

/** Lines that the card may have already, each with the line that it may be; those that are checked are added. */
export function UnsureLines({
  report: { unsure, unsure_count },
  added,
  onChange,
}: {
  report: StatementReport
  added: ReadonlySet<number>
  onChange: (added: ReadonlySet<number>) => void
}) {
  const { t } = useTranslation('statements')
  const toggle = (position: number, isAdded: boolean) => {
    const next = new Set(added)
    if (isAdded) next.add(position)
    else next.delete(position)
    onChange(next)
  }
  return (
    <fieldset className={classes.unsure}>
      <legend>{t('report.unsureHelp')}</legend>
      {unsure.map(({ position, day, name, amount, currency, like }) => (
        <Checkbox
          key={position}
          checked={added.has(position)}
          onChange={(event) => toggle(position, event.currentTarget.checked)}
          label={
            <>
              <Instant value={`${day}T00:00:00Z`} /> {name} <Amount amount={amount} currency={currency} />
            </>
          }
          description={
            <>
              {t('report.unsureLike')} <Instant value={`${like.day}T00:00:00Z`} /> {like.name}{' '}
              <Amount amount={like.amount} currency={currency} />
            </>
          }
        />
      ))}
      {unsure_count > unsure.length && <span className={classes.quiet}>{t('report.more', { count: unsure_count - unsure.length })}</span>}
    </fieldset>
  )
}

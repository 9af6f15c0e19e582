import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useChangedVerdicts, useDismissVerdicts } from '../../api/replica'
import classes from './sync.module.css'

/** Named here; the expenses themselves say what changed. */
const mostNamed = 20

/** The expenses of the last week in which the remote found something else than this device did. */
export function ChangedVerdicts() {
  const { t } = useTranslation('sync')
  const dismiss = useDismissVerdicts()
  const { data } = useChangedVerdicts(true)
  const verdicts = data?.verdicts ?? []
  if (verdicts.length === 0) return null
  return (
    <p className={classes.verdicts} role="note">
      {t('verdict.list', { count: verdicts.length })}{' '}
      {verdicts.slice(0, mostNamed).map(({ expense_id }) => (
        <Link key={expense_id} href={`/expenses/${expense_id}`}>
          #{expense_id}
        </Link>
      ))}
      {verdicts.length > mostNamed && ' …'}{' '}
      <Button
        size="compact-xs"
        variant="default"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate(verdicts.map(({ expense_id }) => expense_id))}
      >
        {t('verdict.dismiss')}
      </Button>
    </p>
  )
}

import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { actOnSaved } from '../../state/open-forms'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './accountabilities.module.css'
import { countByStatus } from './approvals'

/** What keeps an accountability from being approved, and what can be done about it at once. */
export function Hindrance({
  count,
  unapproved,
  approvable,
  isOnly,
  onOnly,
  onApprove,
}: {
  /** How many are not approved, also of those that the user does not see. */
  count: number
  unapproved: readonly Expense[]
  approvable: number
  isOnly: boolean
  onOnly: (isOnly: boolean) => void
  onApprove: () => void
}) {
  const { t } = useTranslation(['accountabilities', 'status'])
  const parts = countByStatus(unapproved).map(({ status, count: number }) =>
    t('accountabilities:hindrance.part', { count: number, status: t(`status:${status}`).toLocaleLowerCase() }),
  )
  const hidden = count - unapproved.length
  const approve = t('accountabilities:approve.clean', { count: approvable })
  if (hidden > 0) parts.push(t('accountabilities:hindrance.hidden', { count: hidden }))
  return (
    <div className={classes.hindrance} role="status">
      <span>
        {t('accountabilities:hindered', { count })} <span className={classes.quiet}>{parts.join(', ')}</span>
      </span>
      <span className={classes.spring} />
      <Button variant="subtle" color="gray" aria-pressed={isOnly} onClick={() => onOnly(!isOnly)}>
        {t(isOnly ? 'accountabilities:hindrance.all' : 'accountabilities:hindrance.only')}
      </Button>
      {approvable > 0 && (
        <Button variant="default" rightSection={<KeyHint keys="shift+a" />} onClick={() => actOnSaved(approve, onApprove)}>
          {approve}
        </Button>
      )}
    </div>
  )
}

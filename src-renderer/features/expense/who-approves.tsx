import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { isUndecided } from '#shared/domain/expense-status'
import { localeOf } from '#shared/domain/locales'
import { useApproval, useApprovalRules, useStandIns } from '../../records/approvals'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import classes from './expense.module.css'

const mostNamed = 4

/** Who may approve an expense that waits, in organizations where that is not simply every manager. */
export function WhoApproves({ expense }: { expense: Expense }) {
  const { data: session } = useSession()
  const organization = session?.memberships.find((one) => one.organization.id === expense.payer.id)?.organization
  const { data: rules = [] } = useApprovalRules(organization?.id ?? null)
  const { data: standIns = [] } = useStandIns(organization?.id ?? null)
  const waits = isUndecided(expense.status) || expense.status === 'noncompliant'
  if (!organization || !waits || (!organization.separate_approval && rules.length === 0 && standIns.length === 0)) return null
  return <Names expense={expense} viewer={session?.user.id} />
}

function Names({ expense, viewer }: { expense: Expense; viewer: number | undefined }) {
  const { t } = useTranslation('approvals')
  const { data } = useApproval(expense)
  const language = usePreferences((state) => state.language)
  if (!data) return null
  const join = (names: readonly string[]) => {
    const more = names.length - mostNamed
    const shown = more > 0 ? [...names.slice(0, mostNamed), t('who.more', { count: more })] : names
    return new Intl.ListFormat(localeOf(language).tag, { type: 'conjunction' }).format(shown)
  }
  const nameOf = ({ id, name }: { id: number; name: string }) => (id === viewer ? t('who.you') : name)
  const { approvers, second_look_by } = data
  const names = approvers.map(({ user, stands_in_for: others }) =>
    others.length === 0 ? nameOf(user) : t('who.standsIn', { name: nameOf(user), others: join(others.map(nameOf)) }),
  )
  return (
    <p className={classes.whoApproves}>
      {second_look_by.length > 0 ? t('who.secondLook', { people: join(second_look_by.map(nameOf)) }) : `${t('who.label')}: ${join(names)}`}
    </p>
  )
}

import { useTranslation } from 'react-i18next'
import { statusColors, type ExpenseStatus } from '#shared/domain/expense-status'
import classes from '../parts.module.css'

/** An expense status: a dot in the contract's colour (3.1) and always its name, in the text colour so that it reads in both themes. */
export function StatusBadge({ status }: { status: ExpenseStatus }) {
  const { t } = useTranslation('status')
  return (
    <span className={classes.status} title={t(status)}>
      <span className={classes.dot} style={{ background: statusColors[status].background_color }} aria-hidden />
      <span className={classes.clip}>{t(status)}</span>
    </span>
  )
}

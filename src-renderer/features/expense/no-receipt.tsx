import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { AddAttachment } from './add-attachment'
import classes from './expense.module.css'

/** Where the receipt would be: that there is none, and how to add one. */
export function NoReceipt({ expense, isAllowed }: { expense: Expense; isAllowed: boolean }) {
  const { t } = useTranslation('expense')
  return (
    <div className={classes.noReceiptBox}>
      <span className={classes.quiet}>{isAllowed ? t('attachments.noneYet') : t('attachments.none')}</span>
      {isAllowed && <AddAttachment expense={expense} />}
    </div>
  )
}

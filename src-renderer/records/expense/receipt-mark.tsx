import { FileX, Paperclip } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import classes from './fact-columns.module.css'

/** How many receipts an expense has, or that it has none. */
export function ReceiptMark({ expense: { attachments_count: count } }: { expense: Expense }) {
  const { t } = useTranslation('review')
  const text = count === 0 ? t('mark.noReceipt') : t('mark.receipts', { count })
  return (
    <span className={classes.mark} title={text}>
      {count === 0 ? <FileX size={13} aria-hidden className={classes.missing} /> : <Paperclip size={13} aria-hidden />}
      {count > 1 && <span aria-hidden>{count}</span>}
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

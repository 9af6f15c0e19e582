import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ExpenseDetail } from './expense-detail'

/** One expense on a separate page; `id` comes from the address. */
export function ExpenseScreen({ id }: { id: string }) {
  const { t } = useTranslation('expense')
  const [, navigate] = useLocation()
  const leave = () => (window.history.length > 1 ? window.history.back() : navigate('/review'))
  if (!/^-?\d{1,15}$/.test(id))
    return <EmptyState sentence={t('notFound')} action={{ label: t('toReview'), run: () => navigate('/review') }} />
  return <ExpenseDetail expenseId={Number(id)} onClose={leave} isPage />
}

import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** One expense. */
export function ExpenseScreen(_props: { id: string }) {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

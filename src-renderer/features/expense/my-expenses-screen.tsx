import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The user's own expenses. */
export function MyExpensesScreen() {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

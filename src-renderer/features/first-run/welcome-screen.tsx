import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The first start. */
export function WelcomeScreen() {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

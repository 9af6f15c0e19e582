import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The settings. */
export function SettingsScreen() {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

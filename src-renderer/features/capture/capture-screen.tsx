import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The capture screen. */
export function CaptureScreen() {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

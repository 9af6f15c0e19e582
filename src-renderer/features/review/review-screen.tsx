import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The review screen; `uid` is the focused expense. */
export function ReviewScreen(_props: { uid?: string }) {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

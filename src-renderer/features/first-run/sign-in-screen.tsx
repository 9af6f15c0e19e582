import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** Signing in. */
export function SignInScreen() {
  const { t } = useTranslation('shell')
  return <EmptyState sentence={t('notYet')} />
}

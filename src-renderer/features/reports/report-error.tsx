import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state'

/** A report that could not be read. */
export function ReportError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('reports')
  return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={onRetry} error={error} />
}

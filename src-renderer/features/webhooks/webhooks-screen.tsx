import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/empty-state'

/** The addresses that are told what happens to the organization's expenses. `id`: the webhook that is shown, or `new`. */
export function WebhooksScreen({ id }: { id: string | undefined }) {
  const { t } = useTranslation('webhooks')
  return <EmptyState key={id} sentence={t('empty')} />
}

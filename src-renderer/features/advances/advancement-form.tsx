import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import { useUpdateAdvancement } from '../../api/advancements'
import { EditSettlement } from '../../records/settlement/settlement-forms'

/** Edits an advancement in place. */
export function AdvancementForm({ advancement, onDone }: { advancement: Advancement; onDone: () => void }) {
  const { t } = useTranslation('advances')
  const { mutate, isPending } = useUpdateAdvancement()
  return (
    <EditSettlement
      form="advancement-edit"
      settlement={advancement}
      title={t('edit.title')}
      isSending={isPending}
      send={(changes, handlers) => mutate({ seen: advancement, changes }, handlers)}
      onDone={onDone}
    />
  )
}

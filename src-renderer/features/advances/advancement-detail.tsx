import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import { type AccountKey, useAdvancement, useDeleteAdvancement, useUpdateAdvancement } from '../../api/advancements'
import { NoSettlement, SettlementDetail } from '../../records/settlement/settlement-detail'
import { SettlementFacts } from '../../records/settlement/settlement-facts'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import { EditSettlement } from '../../records/settlement/settlement-forms'

/** Leaves the detail: for the account that the advancement is of, when it is known. */
type Close = (account: AccountKey | undefined) => void

/** One advancement: what was handed out, comments and trail. Closing it leads to its ledger. */
export function AdvancementDetail({ id, onClose }: { id: number; onClose: Close }) {
  const { data, error, refetch } = useAdvancement(id)
  if (data) return <LoadedAdvancement advancement={data} onClose={onClose} />
  return <NoSettlement kind="advancement" error={error} onRetry={() => void refetch()} onClose={() => onClose(undefined)} />
}

function LoadedAdvancement({ advancement, onClose }: { advancement: Advancement; onClose: Close }) {
  const { t } = useTranslation('advances')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const { mutateAsync: remove } = useDeleteAdvancement()
  const { receiver, payer, currency } = advancement
  const amount = formatMoney(advancement, { language, display })
  return (
    <SettlementDetail
      kind="advancement"
      settlement={advancement}
      form={(onDone) => <AdvancementForm advancement={advancement} onDone={onDone} />}
      facts={(onEdit) => <SettlementFacts form="advancement-edit" settlement={advancement} onEdit={onEdit} />}
      deletion={{ consequences: t('delete.text', { name: receiver.name, amount }), run: () => remove(advancement) }}
      closeLabel={t('detail.toLedger')}
      onClose={() => onClose({ payer_id: payer.id, receiver_id: receiver.id, currency })}
      onLeft={() => onClose(undefined)}
    />
  )
}

/** Edits an advancement in place. */
function AdvancementForm({ advancement, onDone }: { advancement: Advancement; onDone: () => void }) {
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

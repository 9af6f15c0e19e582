import { useTranslation } from 'react-i18next'
import { type AccountKey, useDeleteAdvancement, useHandOut } from '../../api/advancements'
import { NewSettlement } from '../../records/settlement/settlement-forms'
import type { OfferUndo } from '../../ui/feedback/use-undo'

type HandOutProps = {
  /** Whose account was open, to begin with. */
  account: AccountKey | undefined
  organizationId: number
  offerUndo: OfferUndo
  onClose: () => void
  onMade: (account: AccountKey) => void
}

/** Hands out money in advance. */
export function HandOut({ account, onMade, ...pane }: HandOutProps) {
  const { t } = useTranslation('advances')
  const record = useHandOut()
  const { mutateAsync: remove } = useDeleteAdvancement()
  return (
    <NewSettlement
      form="advancement-new"
      {...pane}
      words={{ title: t('handOut.title'), hint: t('handOut.hint'), action: t('handOut.action'), done: (made) => t('handOut.done', made) }}
      receiverId={account?.receiver_id}
      currency={account?.currency}
      record={record}
      remove={remove}
      onMade={({ payer, receiver, currency }) => onMade({ payer_id: payer.id, receiver_id: receiver.id, currency })}
    />
  )
}

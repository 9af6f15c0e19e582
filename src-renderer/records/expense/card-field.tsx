import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { nameCard, useCards } from '../../api/corporative-cards'

/** The claimant's company card that paid; not shown where they have none. The expense's own card is offered though it is no longer active. */
export function CardField({
  organizationId,
  receiverId,
  value,
  error,
  isDisabled,
  onChange,
}: {
  organizationId: number | null
  receiverId: number
  value: number | null
  error: string | undefined
  isDisabled?: boolean
  onChange: (id: number | null) => void
}) {
  const { t } = useTranslation('expense')
  const cards = useCards(organizationId).filter(({ id, user, active }) => id === value || (active && user.id === receiverId))
  if (cards.length === 0 && value === null) return null
  const isListed = value === null || cards.some(({ id }) => id === value)
  return (
    <Select
      size="xs"
      label={t('fields.corporative_card_id')}
      data={[
        ...(isListed ? [] : [{ value: String(value), label: `#${String(value)}` }]),
        ...cards.map((card) => ({ value: String(card.id), label: nameCard(card) })),
      ]}
      value={value === null ? null : String(value)}
      error={error}
      disabled={isDisabled}
      clearable
      data-field="corporative_card_id"
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}

/** A card as an expense shows it: its number in place of the name for those who may not see it. */
export function CardName({ organizationId, id }: { organizationId: number; id: number }) {
  const card = useCards(organizationId).find((one) => one.id === id)
  return card ? nameCard(card) : `#${id}`
}

import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { CardChanges } from '../../api/corporative-cards'

/** What of a card is written in a form; its number never is: it stays in the field that it is typed into. */
export type CardForm = {
  readonly name: string
  readonly expiration: string
  readonly organization_id: number | null
  readonly user_id: number | null
}

/** The form of a stored card. */
export function toCardForm(card: CorporativeCard): CardForm {
  return { name: card.name, expiration: card.expiration_date, organization_id: card.organization.id, user_id: card.user.id }
}

/** `MM/YY` of the typed text: `829`, `8/29`, `08/2029`; text that is not a month stays unchanged, for the server to reject. */
export function readExpiration(text: string): string {
  const [, month, year] = /^\s*(\d{1,2}?)\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  return month === undefined ? text.trim() : `${month.padStart(2, '0')}/${year}`
}

/** What of a card changed, as PATCH takes it. */
export function changedCard(before: CardForm, after: CardForm): CardChanges {
  const expiration_date = readExpiration(after.expiration)
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(expiration_date === before.expiration ? {} : { expiration_date }),
    ...(after.organization_id === before.organization_id || after.organization_id === null
      ? {}
      : { organization_id: after.organization_id }),
  }
}

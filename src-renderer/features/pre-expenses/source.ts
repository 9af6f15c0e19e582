import type { PreExpense } from '#shared/contract/pre-expenses'

/** Where a suggested expense comes from: a line of a card's statement, an integration, or a person who noted it. */
export type PreExpenseSource =
  { readonly kind: 'statement'; readonly cardId: number; readonly card: string } | { readonly kind: 'integration' | 'noted' }

/** Lines of statements are suggested under their card and their place in it. */
const ofLine = /^card:(\d{1,15}):/

/** Where a suggested expense comes from, as far as it says. */
export function sourceOf({ external_id, extra_information }: Pick<PreExpense, 'external_id' | 'extra_information'>): PreExpenseSource {
  const { card } = extra_information
  const [, cardId] = ofLine.exec(external_id ?? '') ?? []
  if (cardId !== undefined && typeof card === 'string') return { kind: 'statement', cardId: Number(cardId), card }
  const isNoted = external_id === null && Object.keys(extra_information).length === 0
  return { kind: isNoted ? 'noted' : 'integration' }
}

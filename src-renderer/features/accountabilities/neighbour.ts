type Cards<C> = { readonly cards: readonly C[] }

/** The card that an arrow leads to: up and down in its column, sideways to the nearest column that has any. */
export function neighbourOf<C extends { readonly id: number }>(
  columns: ReadonlyArray<Cards<C>>,
  id: number | undefined,
  key: string,
): C | undefined {
  const column = columns.findIndex(({ cards }) => cards.some((card) => card.id === id))
  const place = columns[column]?.cards.findIndex((card) => card.id === id) ?? -1
  if (column < 0) return undefined
  if (key === 'ArrowDown' || key === 'ArrowUp') return columns[column]?.cards[place + (key === 'ArrowDown' ? 1 : -1)]
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const side = key === 'ArrowRight' ? columns.slice(column + 1) : columns.slice(0, column).toReversed()
  const cards = side.find((other) => other.cards.length > 0)?.cards
  return cards?.[Math.min(place, cards.length - 1)]
}

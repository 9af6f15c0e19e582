import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type CorporativeCard, corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { call, etagOf } from './client'
import { type ListPage, pageSize, readWhole } from './pages'
import { RecordWrites } from './record-writes'
import { keyRoots } from './keys'

/** Whose cards are listed: the user's own, or all that the user may see in an organization. */
export type CardScope = { readonly kind: 'mine' } | { readonly kind: 'organization'; readonly organizationId: number }

/** Query keys of cards; everything below `all` is stale after a write. */
export const cardKeys = {
  all: keyRoots.cards,
  list: (scope: CardScope) => [...keyRoots.cards, 'list', scope] as const,
  one: (id: number) => [...keyRoots.cards, 'one', id] as const,
}

/** Reads one page of the cards, by name; `page` counts from 1. */
export async function readCardPage(scope: CardScope, page: number, signal: AbortSignal): Promise<ListPage<CorporativeCard>> {
  const q = scope.kind === 'mine' ? {} : { organization_id_in: [scope.organizationId] }
  const query = { q, sort: 'name', page, per_page: pageSize }
  const { count, corporative_cards } = await call(corporativeCardRoutes.list, { query, signal })
  return { count, rows: corporative_cards }
}

/** All cards of an organization that the user may see, by name. */
export function useCards(organizationId: number | null): readonly CorporativeCard[] {
  const scope = { kind: 'organization', organizationId: organizationId ?? 0 } as const
  const { data = noCards } = useQuery({
    queryKey: [...cardKeys.list(scope), 'names'],
    queryFn: ({ signal }) => readWhole((page) => readCardPage(scope, page, signal)),
    enabled: organizationId !== null,
  })
  return data
}
const noCards: readonly CorporativeCard[] = []

/** A card as lists and facts name it: its name and its last digits. */
export function nameCard({ name, number }: Pick<CorporativeCard, 'name' | 'number'>): string {
  return `${name} ·· ${number.slice(-4)}`
}

/** One card, read from the server. */
export function useCorporativeCard(id: number | undefined) {
  return useQuery<CorporativeCard>({
    queryKey: cardKeys.one(id ?? 0),
    queryFn: ({ signal }) => call(corporativeCardRoutes.show, { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  })
}

/** Registers a card. Not a mutation of the query cache: that would keep what was sent, and with it the number. */
export function createCard(body: z.input<typeof corporativeCardRoutes.create.body>): Promise<CorporativeCard> {
  return call(corporativeCardRoutes.create, { body })
}

/** Attributes of a card that can be changed. */
export type CardChanges = z.input<typeof corporativeCardRoutes.update.body>

const cardQueue = new RecordWrites<CorporativeCard>()

/** Changes a card as the user saw it. */
export function updateCard(seen: CorporativeCard, body: CardChanges): Promise<CorporativeCard> {
  return cardQueue.write(seen, (now) => call(corporativeCardRoutes.update, { params: { id: seen.id }, body, ifMatch: etagOf(now) }))
}

/** Makes a card active or inactive; one that already is stays unchanged. */
export function setCardActive(seen: CorporativeCard, active: boolean): Promise<CorporativeCard> {
  return cardQueue.write(seen, (now) =>
    now.active === active
      ? Promise.resolve(now)
      : call(corporativeCardRoutes.update, { params: { id: seen.id }, body: { active }, ifMatch: etagOf(now) }),
  )
}

/** Deletes a card. */
export function deleteCard({ id }: CorporativeCard): Promise<null> {
  return call(corporativeCardRoutes.destroy, { params: { id } })
}

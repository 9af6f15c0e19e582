import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityStatuses, type AccountabilityStatus } from '#shared/domain/accountability-status'
import { useColumn } from '../../api/accountabilities'

/** A column of the board. `more` reads older ones, if there are any. */
export type BoardColumn = {
  readonly status: AccountabilityStatus
  readonly count: number
  readonly cards: readonly Accountability[]
  readonly more: (() => void) | undefined
}

/** The board: undefined columns are on their way. */
export type BoardData = { readonly columns: readonly BoardColumn[] | undefined; readonly error: Error | null; readonly retry: () => void }

function newestFirst(a: Accountability, b: Accountability): number {
  return b.created_at.localeCompare(a.created_at) || b.id - a.id
}

/** The accountabilities of an organization by state; those being moved are in their new column. */
export function useBoard(payer_id: number, pending: ReadonlyMap<number, AccountabilityStatus>): BoardData {
  const queries = {
    opened: useColumn(payer_id, 'opened'),
    ready_to_review: useColumn(payer_id, 'ready_to_review'),
    analyzed: useColumn(payer_id, 'analyzed'),
    approved: useColumn(payer_id, 'approved'),
    finished: useColumn(payer_id, 'finished'),
  }
  const all = accountabilityStatuses.map((status) => queries[status])
  const known = new Map(
    all
      .flatMap(({ data }) => data?.pages ?? [])
      .flatMap(({ accountabilities }) => accountabilities)
      .map((card) => [card.id, card]),
  )
  const cards = [...known.values()].toSorted(newestFirst)
  const placeOf = (card: Accountability) => pending.get(card.id) ?? card.status
  const columns = accountabilityStatuses.map((status): BoardColumn => {
    const { data, hasNextPage, fetchNextPage } = queries[status]
    const shift = cards.reduce((sum, card) => sum + Number(placeOf(card) === status) - Number(card.status === status), 0)
    return {
      status,
      count: (data?.pages[0]?.count ?? 0) + shift,
      cards: cards.filter((card) => placeOf(card) === status),
      more: hasNextPage ? () => void fetchNextPage() : undefined,
    }
  })
  return {
    columns: all.every(({ data }) => data !== undefined) ? columns : undefined,
    error: all.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of all) void query.refetch()
    },
  }
}

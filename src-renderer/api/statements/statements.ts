import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { BatchOperation } from '#shared/contract/batch'
import {
  type StatementLineRepresentation,
  type StatementProposal,
  type StatementReport,
  statementLineRoutes,
  statementMatchRoutes,
  type statementMapping,
  statementRoutes,
} from '#shared/contract/organization-records/statements'
import { call } from '../client'
import { asOneWrite, ownWritesShown } from '../own-writes'
import { type BatchOutcome, runBatch } from '../batch'
import { keyRoots } from '../keys'

/** How a delimited statement is read. */
export type StatementChoices = z.input<typeof statementMapping>
export type { StatementLineRepresentation, StatementProposal, StatementReport }

/** What belongs together, and what is left over. */
export type StatementMatching = z.output<typeof statementRoutes.matching.response>

/** Everything about an organization's statements is read again with its other records. */
const keyOf = (organization_id: number, ...rest: readonly unknown[]) =>
  [...keyRoots.organizations, organization_id, 'statements', ...rest] as const

/** What belongs together, and what is left over on both sides; of one card, or of all that the user sees. */
export function useStatementMatching(organization_id: number, card_id: number | null) {
  return useQuery({
    queryKey: keyOf(organization_id, 'matching', card_id),
    queryFn: ({ signal }) =>
      call(statementRoutes.matching, {
        params: { organization_id },
        query: card_id === null ? {} : { corporative_card_id: card_id },
        signal,
      }),
  })
}

/** Asks the holders of lines without an expense for their receipts; of one card, or of all. Throws ApiError. */
export async function askHolders(
  organization_id: number,
  { card_id, idempotencyKey }: { card_id: number | null; idempotencyKey: string },
): Promise<z.output<typeof statementRoutes.ask.response>> {
  const asked = await call(statementRoutes.ask, { params: { organization_id }, body: { corporative_card_id: card_id }, idempotencyKey })
  await ownWritesShown()
  return asked
}

const perPage = 50

/** Which of these lines have an expense. */
async function listMatched(organization_id: number, ids: readonly number[], signal: AbortSignal): Promise<ReadonlySet<number>> {
  const matched = new Set<number>()
  for (let page = 1; ids.length > 0; page += 1) {
    const query = { q: { statement_line_id_in: [...ids] }, page, per_page: 100 }
    const { statement_matches, total_pages } = await call(statementMatchRoutes.list, { params: { organization_id }, query, signal })
    for (const { statement_line_id } of statement_matches) if (statement_line_id !== null) matched.add(statement_line_id)
    if (page >= total_pages) break
  }
  return matched
}

/** The lines of a card, latest first, page after page, and which of them have an expense. */
export function useCardLines(organization_id: number, card_id: number) {
  return useInfiniteQuery({
    queryKey: keyOf(organization_id, 'lines', card_id),
    queryFn: async ({ pageParam, signal }) => {
      const query = { q: { corporative_card_id_eq: card_id }, sort: '-occurred_at', page: pageParam, per_page: perPage }
      const { statement_lines: lines, count } = await call(statementLineRoutes.list, { params: { organization_id }, query, signal })
      const ids = lines.map(({ id }) => id)
      return { lines, count, matched: await listMatched(organization_id, ids, signal) }
    },
    initialPageParam: 1,
    getNextPageParam: ({ count }, pages) => (pages.length * perPage < count ? pages.length + 1 : undefined),
  })
}

/** What the lines of a card come to, and how many want an expense. */
export function useCardTotals(organization_id: number, corporative_card_id: number) {
  return useQuery({
    queryKey: keyOf(organization_id, 'totals', corporative_card_id),
    queryFn: ({ signal }) => call(statementRoutes.cardTotals, { params: { organization_id }, query: { corporative_card_id }, signal }),
  })
}

/** Sends a statement: without a key to see what it would add, under one to add it, with unsure lines by their positions. Throws ApiError. */
export async function sendStatement(
  organization_id: number,
  {
    card_id,
    file,
    mapping,
    account,
    difference,
    addUnsure = [],
    idempotencyKey,
  }: {
    card_id: number
    file: File
    mapping: StatementChoices | undefined
    account: string | undefined
    /** The difference of the proof that the person has seen. */
    difference?: string | undefined
    addUnsure?: readonly number[]
    idempotencyKey?: string
  },
): Promise<StatementReport> {
  const query = {
    corporative_card_id: card_id,
    ...(mapping && { mapping: JSON.stringify(mapping) }),
    ...(account !== undefined && { account }),
    ...(difference !== undefined && { difference }),
    ...(addUnsure.length > 0 && { add_unsure: addUnsure.join() }),
  }
  const report = await call(idempotencyKey === undefined ? statementRoutes.preview : statementRoutes.create, {
    ...{ params: { organization_id }, query, file },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
  if (idempotencyKey !== undefined) await ownWritesShown()
  return report
}

/** The matches of a line with these expenses. Throws ApiError. */
export async function listMatchesWith(organization_id: number, line_id: number, expense_ids: readonly number[]): Promise<number[]> {
  const query = { q: { statement_line_id_in: [line_id], expense_id_in: [...expense_ids] }, per_page: 100 }
  const { statement_matches } = await call(statementMatchRoutes.list, { params: { organization_id }, query })
  return statement_matches.map(({ id }) => id)
}

/** As many independent operations go in one request. */
const mostTogether = 500

/**
 * Carries out writes, in order; each is independent, or all are one write if `atomic` (up to 1,000). What they change is read again once all have
 * ended. Throws ApiError.
 */
export function writeTogether(
  operations: readonly BatchOperation[],
  { newKey, atomic = false }: { readonly newKey: () => string; readonly atomic?: boolean },
): Promise<BatchOutcome[]> {
  return asOneWrite(async () => {
    const outcomes: BatchOutcome[] = []
    const step = atomic ? operations.length : mostTogether
    for (let at = 0; at < operations.length; at += step)
      outcomes.push(...(await runBatch(operations.slice(at, at + step), { idempotencyKey: newKey(), atomic })))
    await ownWritesShown()
    return outcomes
  })
}

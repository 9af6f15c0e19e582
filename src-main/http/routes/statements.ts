import { statementLineRoutes, statementMatchRoutes, statementRoutes } from '#shared/contract/organization-records/statements'
import { fromMinor } from '#shared/domain/money'
import type { Proposal } from '#shared/domain/statements/match'
import { statementLine } from '#shared/records/statement-line'
import { statementMatch } from '#shared/records/statement-match'
import type { ReceivedFile } from '#main/files/blob-store'
import {
  listExpensesOfIds,
  listLinesWithoutExpense,
  listUnfinishedImports,
  totalCard,
} from '#main/store/records/organizations/statement-reader'
import { listAskedLines } from '#main/store/records/organizations/asked-lines'
import { askForReceipts, listLinesToAskNow } from '#main/use-cases/statements/ask-for-receipts'
import { proposeMatches, sightOf } from '#main/use-cases/statements/propose-matches'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { statementLineRecord } from '#main/use-cases/statements/statement-line-record'
import { statementMatchRecord } from '#main/use-cases/statements/statement-match-record'
import { type CompositeContext, type Context, type Endpoint, composite, query, taking } from '../endpoint'
import { type StatementContext, assertNoReplica, statementLimits, takeStatement } from '../files/imports'
import { toExpenses } from '../representations/expenses'
import { toRecordsWithParties } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

/** The most lines and expenses without a proposal in one response. */
const mostLeft = 200

function showProposal({ kind, lines, claims, evidence, score, isSure }: Proposal) {
  const currency = lines[0]?.currency ?? ''
  const isOne = [...lines, ...claims].every((one) => one.currency === currency)
  const sum = (list: ReadonlyArray<{ readonly amount_minor: number }>) => list.reduce((total, { amount_minor }) => total + amount_minor, 0)
  return {
    kind,
    score,
    is_sure: isSure,
    evidence: [...evidence],
    line_ids: lines.map(({ id }) => id),
    claims: claims.map(({ kind: of, id }) => ({ kind: of, id })),
    difference: isOne ? fromMinor(kind === 'refund' ? sum(claims) + sum(lines) : sum(lines) - sum(claims), currency) : null,
  }
}

function idsIn(proposals: readonly Proposal[]) {
  return {
    lines: new Set(proposals.flatMap(({ lines }) => lines.map(({ id }) => id))),
    expenses: new Set(proposals.flatMap(({ claims }) => claims.map(({ id }) => id))),
  }
}

async function showMatching(context: Context<'statements'>, wanted: { organization_id: number; card_id: number | null }) {
  const { reader, deps, caller } = context
  const sight = await sightOf(reader, { ...wanted, user_id: caller.user_id })
  const found = await proposeMatches(reader, deps.statements, { ...wanted, user_id: caller.user_id })
  const { proposals, lines, expenses } = found
  const inProposals = idsIn(proposals)
  // A line is not left over if its proposal is on a later page.
  const proposed = { lines: new Set(found.line_ids), expenses: new Set(found.claim_ids) }
  const leftLines = lines.filter(({ id }) => !proposed.lines.has(id))
  // An expense without a card may have been paid in any way.
  const leftExpenses = expenses.filter(({ id, corporative_card_id: card }) => {
    return !proposed.expenses.has(id) && card !== null && (wanted.card_id === null || card === wanted.card_id)
  })
  const shownExpenses = [...inProposals.expenses, ...leftExpenses.slice(0, mostLeft).map(({ id }) => id)]
  const shownLines = [...lines.filter(({ id }) => inProposals.lines.has(id)), ...leftLines.slice(0, mostLeft)]
  const asked = await listAskedLines(
    reader,
    shownLines.map(({ id }) => id),
  )
  return {
    proposals: proposals.map(showProposal),
    lines: await toRecordsWithParties(context, statementLine, shownLines),
    expenses: await toExpenses(context, await listExpensesOfIds(context.reader, shownExpenses)),
    receipts: found.receipts.map(({ line_id: statement_line_id, receipt: { capture_ids, file_name }, isSure: is_sure }) => ({
      ...{ statement_line_id, capture_ids: [...capture_ids], file_name, is_sure },
    })),
    asked: asked.map(({ id, at }) => ({ statement_line_id: id, at })),
    proposals_count: found.count,
    lines_count: leftLines.length,
    expenses_count: leftExpenses.length,
    unfinished: await listUnfinishedImports(reader, sight),
  }
}

/** Card statements, their lines, and matches (extension of the contract). */
export const statementEndpoints: Endpoint[] = [
  query(
    statementRoutes.matching,
    async (context: Context<'statements'>, { params: { organization_id }, query: { corporative_card_id = null } }) => ({
      body: await showMatching(context, { organization_id, card_id: corporative_card_id }),
    }),
  ),
  composite(
    statementRoutes.ask,
    async (
      { deps, reader, caller: { user_id }, write }: CompositeContext<'statements' | 'store' | 'clock'>,
      { params: { organization_id }, body: { corporative_card_id: card_id = null } },
    ) => {
      await getVisibleOrganization(reader, { id: organization_id, user_id, action: 'statement_lines.ask' })
      await assertNoReplica(deps)
      const lines = await listLinesToAskNow(reader, deps.statements, { organization_id, user_id, card_id, now: deps.clock.now() })
      return write(async (tx) => {
        const asked = await askForReceipts(tx, lines)
        const holders = new Set(asked.map((line) => line.user_id)).size
        return { status: 200, body: { lines: asked.length, holders }, headers: {} }
      })
    },
  ),
  query(statementRoutes.cardTotals, async (context, { params: { organization_id }, query: { corporative_card_id: card_id } }) => {
    const { reader, caller } = context
    const sight = await sightOf(reader, { organization_id, user_id: caller.user_id, card_id })
    const totals = await totalCard(reader, sight)
    const open = await listLinesWithoutExpense(reader, sight, caller)
    return {
      body: {
        totals: totals.map(({ currency, spent_minor, returned_minor }) => ({
          currency,
          spent: fromMinor(spent_minor, currency),
          returned: fromMinor(returned_minor, currency),
        })),
        open_lines: open.length,
      },
    }
  }),
  ...[statementRoutes.preview, statementRoutes.create].map((route) =>
    taking(route, statementLimits, async (context: StatementContext & { readonly file: ReceivedFile }, input) => ({
      status: route.status,
      headers: {},
      body: await takeStatement(context, input, route === statementRoutes.preview),
    })),
  ),
  ...organizationRecordEndpoints({
    routes: statementLineRoutes,
    record: statementLineRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, statementLine, rows),
  }),
  ...organizationRecordEndpoints({
    routes: statementMatchRoutes,
    record: statementMatchRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, statementMatch, rows),
  }),
]

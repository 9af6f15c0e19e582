import type { Row } from '#db/schema'
import { may } from '#shared/domain/permissions'
import { byDay } from '#shared/domain/statements/by-day'
import { type MatchedClaim, type MatchedLine, cancelDays } from '#shared/domain/statements/compare'
import type { LineOfExpense } from '#shared/domain/statements/refunds'
import { type InboxReceipt, type ReceiptOfLine, findReceipts } from '#shared/domain/statements/receipts'
import { mostTrustedFirst } from '#shared/readings/reading'
import type { Reader } from '#main/store/core/store'
import { listReadCaptures } from '#main/store/records/files/captures'
import { toReadReceipt } from '#main/store/records/files/receipt-readings'
import { listRateSheets } from '#main/store/records/organizations/exchange-rate-reader'
import {
  type ComparedExpense,
  listExpensesWithoutLine,
  listLinesWithExpense,
  listLinesWithoutExpense,
} from '#main/store/records/organizations/statement-reader'
import { getVisibleOrganization } from '../access/get-visible-organization'
import type { FoundMatches } from './find-matches'
import type { StatementDesk } from './statement-desk'

/** What was found, and the rows that it is about. */
export interface ProposedMatches extends FoundMatches {
  readonly lines: readonly Row<'statement_lines'>[]
  readonly expenses: readonly ComparedExpense[]
  /** Receipts in the caller's inbox that may be those of their own lines without a sure match. */
  readonly receipts: readonly ReceiptOfLine[]
}

/** As many proposals are answered at a time: those that come after are next once these are worked off. */
const mostProposals = 500
const dayMs = 86_400_000
/** Expenses of as many days around the lines are compared. */
const daysAround = 15
const dayOf = (instant: string) => Math.floor(Date.parse(instant) / dayMs)
const instantOf = (day: number) => new Date(day * dayMs).toISOString().replace('.000', '')

/** Matches the lines that want an expense to the expenses without a line, as far as the caller sees them. Throws {@link DomainError}. */
export async function proposeMatches(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  {
    organization_id,
    user_id,
    card_id = null,
    most = mostProposals,
  }: { organization_id: number; user_id: number; card_id?: number | null; most?: number },
): Promise<ProposedMatches> {
  const sight = await sightOf(reader, { organization_id, user_id, card_id })
  const lines = await listLinesWithoutExpense(reader, sight, { user_id })
  const days = lines.map(({ occurred_at }) => dayOf(occurred_at))
  const [first, last] = days.length === 0 ? [0, 0] : [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))]
  const span = { from: instantOf(first - daysAround), until: instantOf(last + daysAround) }
  const expenses = await listExpensesWithoutLine(reader, { ...sight, days: span }, { user_id })
  const sheets = (await listRateSheets(reader, organization_id)).map(({ source, currency, rates }) => ({ source, currency, rates }))
  const matched = await listMatched(reader, lines, { user_id, sees_all: sight.user_id === null })
  const task = { lines: lines.map(toMatchedLine), claims: expenses.map(toClaim), matched, sheets, most }
  const found = await desk.match(task, user_id)
  const sure = new Set(found.proposals.flatMap((one) => (one.isSure ? one.lines.map(({ id }) => id) : [])))
  const own = task.lines.filter(({ id, holder_id }) => holder_id === user_id && !sure.has(id))
  const receipts = own.length === 0 ? [] : findReceipts(own, await listInbox(reader, user_id))
  return { ...found, lines, expenses, receipts }
}

/** The lines of the same cards for whose expenses these may bring money back, with those expenses. */
async function listMatched(
  reader: Reader,
  lines: ReadonlyArray<Row<'statement_lines'>>,
  { user_id, sees_all }: { user_id: number; sees_all: boolean },
): Promise<LineOfExpense[]> {
  const days = lines.filter(({ amount_minor }) => amount_minor < 0).map((line) => ({ ...line, day: dayOf(line.occurred_at) }))
  const [first] = byDay(days)
  if (!first) return []
  const card_ids = [...new Set(days.map(({ corporative_card_id }) => corporative_card_id))]
  const rows = await listLinesWithExpense(reader, { card_ids, from: instantOf(first.day - cancelDays) }, { user_id })
  const seen = rows.filter(({ receiver_id }) => sees_all || receiver_id === user_id)
  return seen.map(({ line_id, line_amount_minor, line_currency, line_day, name, card_id, ...expense }) => ({
    line: {
      ...{
        id: line_id,
        card_id,
        holder_id: expense.receiver_id,
        day: dayOf(line_day),
        amount_minor: line_amount_minor,
        currency: line_currency,
      },
      ...{ text: name, original_minor: null, original_currency: null, rate: null },
    },
    claim: toClaim(expense),
  }))
}

/** The receipts in a user's inbox that say an amount and a day; pictures of a group are one receipt. */
async function listInbox(reader: Reader, user_id: number): Promise<InboxReceipt[]> {
  const groups = Map.groupBy(await listReadCaptures(reader, user_id), ({ id, group_uid }) => group_uid ?? String(id))
  return [...groups.values()].flatMap((captures): InboxReceipt[] => {
    const fields = mostTrustedFirst(captures.flatMap((capture) => toReadReceipt(capture).fields))
    const [total, date] = ['total', 'date'].map((name) => fields.find(({ field }) => field === name))
    if (!total || !date) return []
    return [
      {
        ...{ capture_ids: captures.map(({ id }) => id), file_name: captures[0]?.file_name ?? '' },
        ...{ day: dayOf(`${date.value}T00:00:00Z`), amount_minor: Number(total.value), currency: total.currency ?? null },
        isSure: total.fills && date.fills && total.currency !== undefined,
      },
    ]
  })
}

/** Which lines a user sees: their own cards', or all. Throws {@link DomainError}. */
export async function sightOf<C extends number | null>(
  reader: Reader,
  { organization_id, user_id, card_id }: { organization_id: number; user_id: number; card_id: C },
) {
  const { membership } = await getVisibleOrganization(reader, { id: organization_id, user_id, action: 'statement_lines.list' })
  const seesAll = may('corporative_cards.read', { role: membership.role })
  return { organization_id, user_id: seesAll ? null : user_id, card_id }
}

function toMatchedLine(line: Row<'statement_lines'>): MatchedLine {
  const { id, corporative_card_id: card_id, user_id: holder_id, occurred_at, amount_minor, currency, name: text, rate } = line
  const { original_amount_minor: original_minor, original_currency } = line
  return { id, card_id, holder_id, day: dayOf(occurred_at), amount_minor, currency, text, original_minor, original_currency, rate }
}

function toClaim(expense: ComparedExpense): MatchedClaim {
  const {
    id,
    receiver_id: holder_id,
    corporative_card_id: card_id,
    occurred_at,
    amount_minor,
    currency,
    supplier_name,
    description,
  } = expense
  return { kind: 'expense', id, holder_id, card_id, day: dayOf(occurred_at), amount_minor, currency, supplier: supplier_name, description }
}

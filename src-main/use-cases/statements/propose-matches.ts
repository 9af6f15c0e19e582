import type { Row } from '#db/schema'
import { may } from '#shared/domain/permissions'
import { byDay } from '#shared/domain/statements/by-day'
import { type MatchedClaim, type MatchedLine, cancelDays } from '#shared/domain/statements/compare'
import type { LineOfExpense } from '#shared/domain/statements/refunds'
import { type InboxReceipt, type ReceiptOfLine, findReceipts } from '#shared/domain/statements/receipts'
import type { ReadReceipt } from '#shared/readings/other-total'
import { type FieldReading, mostTrustedFirst } from '#shared/readings/reading'
import type { Reader } from '#main/store/core/store'
import { listReadCaptures } from '#main/store/records/files/captures'
import { toReadReceipt } from '#main/store/records/files/receipt-readings'
import { listRateSheets } from '#main/store/records/organizations/exchange-rate-reader'
import {
  type ComparedExpense,
  type MatchedSight,
  listExpensesWithoutLine,
  listLinesWithExpense,
  listLinesWithoutExpense,
} from '#main/store/records/organizations/statement-reader'
import { getVisibleOrganization } from '../access/get-visible-organization'
import type { FoundMatches } from './find-matches'
import type { StatementDesk } from './statement-desk'

type Line = Row<'statement_lines'>

/** What was found, and the rows that it is about. */
interface Matched extends FoundMatches {
  readonly lines: readonly Line[]
  readonly expenses: readonly ComparedExpense[]
}

/** With receipts in the caller's inbox that may be those of their own lines without a sure match. */
export interface ProposedMatches extends Matched {
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
  const found = await matchOpen(reader, desk, { sight, lines, user_id, most })
  return { ...found, receipts: receiptsOf(found, await listInboxes(reader, [user_id])) }
}

/** An upload of a caller, by its Location, with what was read from it. */
export type ReadUpload = readonly [location: string, reading: ReadReceipt]

/**
 * The caller's own lines that are surely those of receipts in their inbox, or of these uploads: each receipt's only line, and the line's only
 * receipt. Empty where no line fits one of these captures or uploads. Throws {@link DomainError}.
 */
export async function findOwnLines(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  {
    organization_id,
    user_id,
    capture_ids,
    uploads,
  }: { organization_id: number; user_id: number; capture_ids: readonly number[]; uploads: readonly ReadUpload[] },
): Promise<ReadonlyArray<ReceiptOfLine & { readonly line: Line }>> {
  const inbox = [
    ...((await listInboxes(reader, [user_id])).get(user_id) ?? []),
    ...uploads.flatMap(([upload, { fields }]) => toReceipts(fields, { upload, capture_ids: [], file_name: '' })),
  ]
  if (inbox.length === 0) return []
  const sight = { organization_id, user_id, card_id: null }
  const lines = await listLinesWithoutExpense(reader, sight, { user_id })
  const asked = new Set(capture_ids)
  const isAsked = ({ upload, capture_ids: ids }: InboxReceipt) => upload !== undefined || ids.some((id) => asked.has(id))
  // Mostly no line fits, and comparing them with expenses takes a process.
  if (!findReceipts(lines.map(toMatchedLine), inbox).some(({ receipt }) => receipt.isSure && isAsked(receipt))) return []
  const found = await matchOpen(reader, desk, { sight, lines, user_id, most: Infinity })
  const byId = new Map(lines.map((line) => [line.id, line]))
  return receiptsOf(found, new Map([[user_id, inbox]])).flatMap((one) => {
    const line = byId.get(one.line_id)
    return one.isSure && line ? [{ ...one, line }] : []
  })
}

/** The lines in sight of which neither an expense nor a receipt in their holder's inbox is surely theirs, for a caller. Throws {@link DomainError}. */
export async function listUnsureLines(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { sight, user_id }: { sight: MatchedSight; user_id: number },
): Promise<Line[]> {
  const lines = await listLinesWithoutExpense(reader, sight, { user_id })
  if (lines.length === 0) return []
  const found = await matchOpen(reader, desk, { sight, lines, user_id, most: Infinity })
  const receipts = receiptsOf(found, await listInboxes(reader, [...new Set(lines.map((line) => line.user_id))]))
  const sure = sureLines(found.proposals)
  for (const { line_id, isSure } of receipts) if (isSure) sure.add(line_id)
  return lines.filter(({ id }) => !sure.has(id))
}

/** Matches lines to the expenses without a line that are in sight, for a caller. Throws {@link DomainError}. */
async function matchOpen(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { sight, lines, user_id, most }: { sight: MatchedSight; lines: readonly Line[]; user_id: number; most: number },
): Promise<Matched> {
  const days = lines.map(({ occurred_at }) => dayOf(occurred_at))
  const [first, last] = days.length === 0 ? [0, 0] : [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))]
  const span = { from: instantOf(first - daysAround), until: instantOf(last + daysAround) }
  const expenses = await listExpensesWithoutLine(reader, { ...sight, days: span }, { user_id })
  const sheets = (await listRateSheets(reader, sight.organization_id)).map(({ source, currency, rates }) => ({ source, currency, rates }))
  const matched = await listMatched(reader, lines, { user_id, sees_all: sight.user_id === null })
  const task = { lines: lines.map(toMatchedLine), claims: expenses.map(toClaim), matched, sheets, most }
  return { ...(await desk.match(task, user_id)), lines, expenses }
}

/** The receipts of these users that may be those of their own lines without a sure match. */
function receiptsOf(
  { lines, proposals }: Pick<Matched, 'lines' | 'proposals'>,
  inboxes: ReadonlyMap<number, readonly InboxReceipt[]>,
): ReceiptOfLine[] {
  const sure = sureLines(proposals)
  const left = Map.groupBy(
    lines.filter(({ id }) => !sure.has(id)),
    (line) => line.user_id,
  )
  return [...inboxes].flatMap(([user_id, inbox]) => findReceipts((left.get(user_id) ?? []).map(toMatchedLine), inbox))
}

function sureLines(proposals: FoundMatches['proposals']): Set<number> {
  return new Set(proposals.flatMap((one) => (one.isSure ? one.lines.map(({ id }) => id) : [])))
}

/** The lines of the same cards for whose expenses these may bring money back, with those expenses. */
async function listMatched(
  reader: Reader,
  lines: readonly Line[],
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

/** The receipts in users' inboxes that say an amount and a day; pictures of a group are one receipt. */
async function listInboxes(reader: Reader, user_ids: readonly number[]): Promise<Map<number, InboxReceipt[]>> {
  const groups = Map.groupBy(await listReadCaptures(reader, user_ids), ({ id, user_id, group_uid }) => `${user_id} ${group_uid ?? id}`)
  const receipts = [...groups.values()].flatMap((captures) => {
    const fields = captures.flatMap((capture) => toReadReceipt(capture).fields)
    const [{ user_id, file_name } = { user_id: 0, file_name: '' }] = captures
    return toReceipts(fields, { capture_ids: captures.map(({ id }) => id), file_name }).map((receipt) => ({ user_id, receipt }))
  })
  return new Map([...Map.groupBy(receipts, ({ user_id }) => user_id)].map(([id, own]) => [id, own.map(({ receipt }) => receipt)]))
}

/** What was read as a receipt; none without an amount and a day. */
function toReceipts(
  fields: readonly FieldReading[],
  file: Pick<InboxReceipt, 'capture_ids' | 'file_name' | 'upload'>,
): readonly InboxReceipt[] {
  const trusted = mostTrustedFirst(fields)
  const [total, date] = ['total', 'date'].map((name) => trusted.find(({ field }) => field === name))
  if (!total || !date) return []
  const isSure = total.fills && date.fills && total.currency !== undefined
  const day = dayOf(`${date.value}T00:00:00Z`)
  return [{ ...file, day, amount_minor: Number(total.value), currency: total.currency ?? null, isSure }]
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

function toMatchedLine(line: Line): MatchedLine {
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

import type { Row } from '#db/schema'
import { clockIn } from '#shared/domain/timezones'
import { statementLine } from '#shared/records/statement-line'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivities } from '#main/store/records/conversations/activity-writer'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { askedEvent, listAskedLines } from '#main/store/records/organizations/asked-lines'
import { isOpenLine, listLinesWithoutExpense } from '#main/store/records/organizations/statement-reader'
import { findUser } from '#main/store/records/users/user-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { proposeMatches, sightOf } from './propose-matches'
import type { StatementDesk } from './statement-desk'

type Line = Row<'statement_lines'>

const { name, amount, occurred_at } = statementLine.attributes
/** The attributes of a line that its holder is shown. */
const shown = { name, amount, occurred_at }

/** The lines of a holder that have no expense that is surely theirs, and no such receipt in the inbox; none of a former member. Throws {@link DomainError}. */
export async function listLinesToAsk(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { organization_id, user_id, card_id = null }: { organization_id: number; user_id: number; card_id?: number | null },
): Promise<Line[]> {
  if ((await findRole(reader, { organization_id, user_id })) === undefined) return []
  const { lines, proposals, receipts } = await proposeMatches(reader, desk, { organization_id, user_id, card_id, most: Infinity })
  const sure = new Set([
    ...proposals.flatMap(({ isSure, lines: matched }) => (isSure ? matched.map(({ id }) => id) : [])),
    ...receipts.flatMap(({ isSure, line_id }) => (isSure ? [line_id] : [])),
  ])
  return lines.filter((line) => line.user_id === user_id && line.amount_minor > 0 && !sure.has(line.id))
}

/** The lines of others that a user may ask about and whose holders were not asked today, by the holder's clock. Throws {@link DomainError}. */
export async function listLinesToAskNow(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { now, ...asked }: { organization_id: number; user_id: number; card_id: number | null; now: Date },
): Promise<Line[]> {
  const open = await listLinesWithoutExpense(reader, await sightOf(reader, asked), asked)
  const found: Line[] = []
  for (const user_id of new Set(open.map((line) => line.user_id))) {
    if (user_id === asked.user_id) continue
    const lines = await listLinesToAsk(reader, desk, { ...asked, user_id })
    const { isAskedToday } = await lastAsked(reader, { user_id, lines, now })
    found.push(...lines.filter(({ id }) => !isAskedToday.has(id)))
  }
  return found
}

/**
 * The lines about which a holder is asked without a manager: all, once a day, if one of them was never asked about. None otherwise. Throws {@link
 * DomainError}.
 */
export async function listLinesToAskDaily(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { now, ...asked }: { organization_id: number; user_id: number; now: Date },
): Promise<Line[]> {
  const lines = await listLinesToAsk(reader, desk, asked)
  const { isAsked, isAskedToday } = await lastAsked(reader, { user_id: asked.user_id, lines, now })
  return isAskedToday.size > 0 || lines.every(({ id }) => isAsked.has(id)) ? [] : lines
}

/** Of these lines those about which their holder was asked, and was today, by the holder's clock. */
async function lastAsked(reader: Reader, { user_id, lines, now }: { user_id: number; lines: readonly Line[]; now: Date }) {
  const timezone = (await findUser(reader, user_id))?.timezone ?? 'UTC'
  const dayOf = (instant: Date) => clockIn(timezone, instant).day
  const known = await listAskedLines(
    reader,
    lines.map(({ id }) => id),
  )
  return {
    isAsked: new Set(known.map(({ id }) => id)),
    isAskedToday: new Set(known.flatMap(({ id, at }) => (dayOf(new Date(at)) === dayOf(now) ? [id] : []))),
  }
}

/** Asks the holders of lines for their receipts; lines that got an expense meanwhile are left out. Returns those that were asked about. */
export async function askForReceipts(tx: Tx, lines: readonly Line[]): Promise<Line[]> {
  const open: Line[] = []
  for (const line of lines) if (await isOpenLine(tx, line.id)) open.push(line)
  if (open.length === 0) return open
  await recordActivities(
    tx,
    open.map((line) => ({
      ...{ organization_id: line.organization_id, subject: { type: 'StatementLine', id: line.id }, event: askedEvent },
      details: writtenDetails(shown, {}, line),
    })),
  )
  return open
}

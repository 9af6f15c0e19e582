import type { Row } from '#db/schema'
import { clockIn } from '#shared/domain/timezones'
import { statementLine } from '#shared/records/statement-line'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivities } from '#main/store/records/conversations/activity-writer'
import { listMembershipsIn } from '#main/store/records/organizations/membership-reader'
import { askedEvent, listAskedLines } from '#main/store/records/organizations/asked-lines'
import { type MatchedSight, isOpenLine } from '#main/store/records/organizations/statement-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { listUnsureLines, sightOf } from './propose-matches'
import type { StatementDesk } from './statement-desk'

type Line = Row<'statement_lines'>

const { name, amount, occurred_at } = statementLine.attributes
/** The attributes of a line that its holder is shown. */
const shown = { name, amount, occurred_at }

/** The lines of others that a user may ask about and whose holders were not asked today, by the holder's clock. Throws {@link DomainError}. */
export async function listLinesToAskNow(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { now, ...asked }: { organization_id: number; user_id: number; card_id: number | null; now: Date },
): Promise<Line[]> {
  const lines = await listLinesToAsk(reader, desk, { sight: await sightOf(reader, asked), user_id: asked.user_id })
  const others = lines.filter((line) => line.user_id !== asked.user_id)
  const { isAskedToday } = await lastAsked(reader, others, now)
  return others.filter((line) => !isAskedToday(line))
}

/**
 * The lines about which a holder is asked without a manager: all, once a day, if one of them was never asked about. None otherwise. Throws {@link
 * DomainError}.
 */
export async function listLinesToAskDaily(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  { now, ...holder }: { organization_id: number; user_id: number; now: Date },
): Promise<Line[]> {
  const lines = await listLinesToAsk(reader, desk, { sight: { ...holder, card_id: null }, user_id: holder.user_id })
  const { isAsked, isAskedToday } = await lastAsked(reader, lines, now)
  return lines.some(isAskedToday) || lines.every(isAsked) ? [] : lines
}

/** Lines of members without a sure expense, and without a sure receipt in their holder's inbox. */
async function listLinesToAsk(
  reader: Reader,
  desk: Pick<StatementDesk, 'match'>,
  asked: { sight: MatchedSight; user_id: number },
): Promise<Line[]> {
  const members = new Set((await listMembershipsIn(reader, asked.sight.organization_id)).map(({ user_id }) => user_id))
  return (await listUnsureLines(reader, desk, asked)).filter(({ user_id, amount_minor }) => amount_minor > 0 && members.has(user_id))
}

/** Which of these lines were asked about, and which today, by their holders' clocks. */
async function lastAsked(reader: Reader, lines: readonly Line[], now: Date) {
  const users = await listUsersByIds(reader, [...new Set(lines.map(({ user_id }) => user_id))])
  const timezones = new Map(users.map(({ id, timezone }) => [id, timezone]))
  const known = await listAskedLines(
    reader,
    lines.map(({ id }) => id),
  )
  const askedAt = new Map(known.map(({ id, at }) => [id, at]))
  const isAskedToday = ({ id, user_id }: Line) => {
    const [at, timezone = 'UTC'] = [askedAt.get(id), timezones.get(user_id)]
    return at !== undefined && clockIn(timezone, new Date(at)).day === clockIn(timezone, now).day
  }
  return { isAsked: ({ id }: Line) => askedAt.has(id), isAskedToday }
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

import { z } from 'zod'
import type { Row } from '#db/schema'
import { toScaled } from '#shared/domain/money'
import { advancement } from '#shared/records/advancement'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { approvalRule } from '#shared/records/approval-rule'
import { type Attribute, type Attributes, columnOf } from '#shared/records/attributes'
import { closing } from '#shared/records/closing'
import { shownValue } from '#shared/records/columns'
import { exchangeRate } from '#shared/records/exchange-rate'
import { expense } from '#shared/records/expense'
import { policy } from '#shared/records/policy'
import { reimbursement } from '#shared/records/reimbursement'
import { statementLine } from '#shared/records/statement-line'
import { type RecordRow, listMoneyRecords, listOrphans } from '#main/store/audit/record-reader'
import { listActivitiesAbout } from '#main/store/records/conversations/activity-reader'
import type { Reader } from '#main/store/core/store'

/** The records that are compared with the trail: those with money, and those that control which money may move. */
const compared = [
  ...[expense, reimbursement, advancement, advancementDevolution],
  ...[statementLine, closing, policy, approvalRule, exchangeRate],
] as const
type Compared = (typeof compared)[number]

/** A record that differs from the trail's last values. `about`: the record and the difference. */
export interface RecordProblem {
  readonly code: 'record' | 'record_derived' | 'record_unknown' | 'record_gone' | 'record_missing'
  readonly organization_id: number
  /** The entry that differs; null if there is none. */
  readonly activity_id: number | null
  readonly about: string
}

interface Said {
  readonly value: string | number | boolean | null
  readonly activity_id: number
}

/** An expense's initial values of attributes that only separate actions change, which the trail records. */
const initially: ReadonlyArray<readonly [attribute: string, value: string | null]> = [
  ['status', expense.attributes.status.initial],
  ['approved_amount', null],
  ['approved_amount_currency', null],
]

type Activity = Row<'activities'>

const told = z.array(
  z.object({ attribute: z.string(), to: z.union([z.string(), z.number(), z.boolean()]).nullable(), currency: z.string().optional() }),
)

/** The details of an entry; empty if unreadable, in which case its seal shows the change. */
function detailsOf({ details }: Activity): z.infer<typeof told> {
  try {
    return told.parse(JSON.parse(details))
  } catch {
    return []
  }
}

/** The last values by attribute in a record's entries, and whether one of them deleted it. */
function lastSaid(subject: Compared['subject'], entries: readonly Activity[]) {
  const [first] = entries
  const begun = subject === 'Expense' && first?.event === 'expense_created' ? first : undefined
  const said = new Map<string, Said>(begun ? initially.map(([attribute, value]) => [attribute, { value, activity_id: begun.id }]) : [])
  let deletion: number | undefined
  for (const entry of entries) {
    const { id: activity_id, event, source_type } = entry
    if (source_type !== null) continue
    if (event.endsWith('_destroyed')) {
      // It lists what is gone, but a deleted record keeps its values.
      deletion = activity_id
      continue
    }
    for (const { attribute, to, currency } of detailsOf(entry)) {
      said.set(attribute, { value: to, activity_id })
      if (currency !== undefined)
        said.set(attribute === 'approved_amount' ? 'approved_amount_currency' : 'currency', { value: currency, activity_id })
    }
  }
  return { said, deletion }
}

const comparedKinds: ReadonlySet<string> = new Set(['text', 'number', 'count', 'flag', 'instant', 'choice', 'amount', 'currency', 'party'])

/** A value; undefined if the stored one is invalid, such as an amount in an unknown currency. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** An attribute's current value in the trail's form; undefined if the two cannot be compared. */
function valueNow(name: string, attribute: Attribute, row: RecordRow): { name: string; value: Said['value'] } | undefined {
  if (attribute.isUnaudited || attribute.isHidden || !comparedKinds.has(attribute.kind)) return undefined
  if (attribute.kind !== 'party') return { name, value: readable(() => shownValue(name, attribute, row)) ?? null }
  const column = columnOf(name, attribute)
  const id = row[column]
  return { name: column, value: typeof id === 'number' ? id : null }
}

const attributesOf = ({ attributes }: { readonly attributes: Attributes }) => Object.entries(attributes)

function problemsOf(record: Compared, row: RecordRow, entries: readonly Activity[]): Array<Omit<RecordProblem, 'organization_id'>> {
  const { subject } = record
  const about = `${subject} ${row.id}`
  if (entries.length === 0) return [{ code: 'record_unknown', activity_id: null, about }]
  const { said, deletion } = lastSaid(subject, entries)
  const isGone = row.deleted_at !== null
  if (isGone !== (deletion !== undefined)) return [{ code: 'record_gone', activity_id: deletion ?? null, about }]
  return attributesOf(record).flatMap(([name, attribute]) => {
    const now = valueNow(name, attribute, row)
    const last = now && said.get(now.name)
    if (!now || !last || last.value === now.value) return []
    return [{ code: 'record' as const, activity_id: last.activity_id, about: `${about}: ${now.name}` }]
  })
}

/** Whether an amount's derived scale is right: lists filter and sort by it. */
function isScaledRight(record: Compared, row: RecordRow): boolean {
  return attributesOf(record).every(([name, attribute]) => {
    if (attribute.kind !== 'amount') return true
    const [minor, scaled, code] = [row[`${name}_minor`], row[`${name}_scaled`], row[attribute.currency]]
    if (typeof minor !== 'number' || typeof code !== 'string') return scaled === null
    return scaled === readable(() => toScaled(minor, code))
  })
}

/** Where a comparison continues: after this many kinds of records, and after an id. */
export interface ComparedTo {
  readonly kinds: number
  readonly after: number
}

/**
 * Compares some records with the last values in their entries, attribute by attribute: a record that was changed, removed or inserted outside Outlay
 * differs. Attributes without entries are not compared. `next`: where to continue, if there are more.
 */
export async function compareRecords(
  reader: Reader,
  { organization_id, kinds = 0, after = Number.MIN_SAFE_INTEGER }: Partial<ComparedTo> & { organization_id: number | undefined },
): Promise<{ problems: readonly RecordProblem[]; count: number; next: ComparedTo | undefined }> {
  const record = compared[kinds]
  if (record === undefined) return { problems: [], count: 0, next: undefined }
  const { table, subject } = record
  const { rows, isEnd } = await listMoneyRecords(reader, table, { organization_id, after })
  const about = await listActivitiesAbout(reader, { type: subject, ids: rows.map(({ id }) => id) })
  const entries = Map.groupBy(about, ({ subject_id }) => subject_id)
  const problems = rows.flatMap((row) => {
    const found = problemsOf(record, row, entries.get(row.id) ?? [])
    if (found.length === 0 && !isScaledRight(record, row))
      found.push({ code: 'record_derived', activity_id: null, about: `${subject} ${row.id}` })
    return found.map((problem): RecordProblem => ({ ...problem, organization_id: row.owner_id }))
  })
  const last = rows.at(-1)
  if (last && !isEnd) return { problems, count: rows.length, next: { kinds, after: last.id } }
  const missing = (await listOrphans(reader, { table, subject, organization_id })).map((orphan): RecordProblem => ({
    code: 'record_missing',
    activity_id: orphan.activity_id,
    about: `${subject} ${orphan.subject_id}`,
    organization_id: orphan.organization_id ?? 0,
  }))
  const next = kinds + 1 < compared.length ? { kinds: kinds + 1, after: Number.MIN_SAFE_INTEGER } : undefined
  return { problems: [...problems, ...missing], count: rows.length, next }
}

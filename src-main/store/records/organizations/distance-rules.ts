import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { type DistanceRule, fromRate, ruleOn } from '#shared/domain/distance'
import { distanceRule as definition } from '#shared/records/distance-rule'
import { deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { writtenDetails } from '../conversations/activity-details'
import { recordActivity } from '../conversations/activity-writer'

const listRows = statement<{ organization_id: number }, Row<'distance_rules'>>((db, p) =>
  db
    .selectFrom('distance_rules')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .orderBy(sql`coalesce(valid_from, '')`, 'desc')
    .orderBy('id', 'desc'),
)

/** An organization's distance rules, by last day, newest first; the rule for all days is last. */
export function listDistanceRules(reader: Reader, organization_id: number): Promise<readonly Row<'distance_rules'>[]> {
  return reader.all(listRows, { organization_id })
}

/** An organization's rule for trips on a day; undefined if the default applies (supplement 3, "Distance rule"). */
export async function findDistanceRule(reader: Reader, organization_id: number, day: string) {
  return ruleOn(await listDistanceRules(reader, organization_id), day)
}

type Stored = Row<'distance_rules'>

/** Stores a distance rule in place of `row`, or as a new one. `ended`: other rules that it replaces. */
export async function storeDistanceRule(
  tx: Tx,
  organization_id: number,
  { rule, row, ended }: { rule: DistanceRule & Pick<Stored, 'valid_from'>; row: Stored | undefined; ended: readonly Stored[] },
): Promise<Stored> {
  const scope = { organization_id }
  for (const one of ended) {
    await deleteRecord(tx, 'distance_rules', { row: one, scope })
    await recordChange(tx, organization_id, { before: one, after: undefined })
  }
  const stored = row
    ? await updateRecord(tx, 'distance_rules', { row, changes: rule, scope })
    : await insertRecord(tx, 'distance_rules', { values: { organization_id, ...rule }, scope })
  await recordChange(tx, organization_id, { before: row, after: stored })
  return stored
}

/** Records all differences with the rule's day, as an organization has several rules. */
async function recordChange(
  tx: Tx,
  organization_id: number,
  { before, after }: { before: Stored | undefined; after: Stored | undefined },
): Promise<void> {
  const [from, to] = [before ? fromRate(before) : null, after ? fromRate(after) : null]
  const currency = (after ?? before)?.currency
  const amount = from === to ? [] : [{ attribute: 'amount', from, to, ...(currency !== undefined && { currency }) } as const]
  const details = [...amount, ...writtenDetails(definition.attributes, before ?? {}, after ?? {})]
  if (details.length === 0) return
  const day = after?.valid_from ?? null
  const isSameDay = day !== null && before?.valid_from === day
  await recordActivity(tx, {
    organization_id,
    subject: { type: 'Organization', id: organization_id },
    event: 'distance_rule_updated',
    details: isSameDay ? [...details, { attribute: 'valid_from', from: day, to: day }] : details,
  })
}

import type { Row } from '#db/schema'
import type { PolicyVersion } from '#shared/domain/policies'
import type { ListedKind } from '#shared/records/attributes'
import { fromListColumn } from '#shared/records/columns'
import { policy } from '#shared/records/policy'
import type { Changes } from '../../core/record-writer'
import type { Tx } from '../../core/store'
import {
  type NewOrganizationRow,
  type OrganizationRow,
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from './organization-records'
import { versionsOf } from './policy-reader'
import { addPolicyRun } from '../../queues/policy-runs'

type PolicyRow = Row<'policies'>

/** Stores a new policy; open expenses are judged by it afterwards. */
export async function insertPolicy(tx: Tx, values: Said): Promise<PolicyRow> {
  const versions = JSON.stringify([versionOf(values, 1)])
  await addPolicyRun(tx, values.organization_id)
  return insertOrganizationRecord(tx, policy, { ...values, versions })
}

/** Changes a policy: a new version, unless only its name changes. */
export async function updatePolicy(tx: Tx, row: OrganizationRow<'policies'>, changes: Changes<'policies'>): Promise<PolicyRow> {
  const known = versionsOf(row)
  const last = known.at(-1)
  const next = versionOf({ ...row, ...changes }, (last?.number ?? 0) + 1)
  const isReworded = JSON.stringify({ ...last, number: next.number }) !== JSON.stringify(next)
  if (isReworded) await addPolicyRun(tx, row.organization_id)
  const versions = isReworded ? { versions: JSON.stringify([...known, next]) } : {}
  return updateOrganizationRecord(tx, policy, { row, changes: { ...changes, ...versions } })
}

/** Deletes a policy; its findings on open expenses end. */
export async function deletePolicy(tx: Tx, row: OrganizationRow<'policies'>): Promise<void> {
  await addPolicyRun(tx, row.organization_id)
  await deleteOrganizationRecord(tx, policy, row)
}

type Said = Omit<NewOrganizationRow<'policies'>, 'versions'>

/** A policy's columns as a version. */
export function versionOf(said: Said, number: number): PolicyVersion {
  const { holds_from = null, weight, condition, amount_minor = null, currency = null, days = null } = said
  const { period = null, distance = null, distance_kind = null } = said
  return {
    number,
    holds_from,
    weight,
    condition,
    amount_minor,
    currency,
    days,
    period,
    distance,
    distance_kind,
    dates: listOf('dates', said.dates).map(String),
    tax_ids: listOf('tax_ids', said.tax_ids).map(String),
    tag_ids: listOf('tags', said.tag_ids).map(Number),
    claimant_ids: listOf('users', said.claimant_ids).map(Number),
    currencies: listOf('currencies', said.currencies).map(String),
    kinds: listOf('kinds', said.kinds).map(String),
  }
}

function listOf(of: ListedKind, text: string | null = null) {
  return fromListColumn(of, text)
}

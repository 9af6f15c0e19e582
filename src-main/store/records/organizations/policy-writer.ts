import type { Row } from '#db/schema'
import type { PolicyVersion } from '#shared/domain/policies'
import { policy } from '#shared/records/policy'
import type { Changes } from '../../core/record-writer'
import type { Tx } from '../../core/store'
import { deleteOrganizationRecord, insertOrganizationRecord, updateOrganizationRecord } from './organization-record-writer'
import type { NewOrganizationRow, OrganizationRow } from './organization-row'
import { versionsOf } from './policy-reader'
import { addPolicyRun } from '../../queues/policy-runs'

type PolicyRow = Row<'policies'>

/** Stores a new policy; open expenses are judged by it afterwards. */
export async function insertPolicy(tx: Tx, values: Omit<NewOrganizationRow<'policies'>, 'versions'>): Promise<PolicyRow> {
  const versions = JSON.stringify([versionOf(values, 1)])
  await addPolicyRun(tx, values.organization_id)
  return insertOrganizationRecord(tx, policy, { ...values, versions })
}

/** Changes a policy. What it says from then on is a new version, unless only its name has changed. */
export async function updatePolicy(tx: Tx, row: OrganizationRow<'policies'>, changes: Changes<'policies'>): Promise<PolicyRow> {
  const known = versionsOf(row)
  const last = known.at(-1)
  const next = versionOf({ ...row, ...changes }, (last?.number ?? 0) + 1)
  const isReworded = JSON.stringify({ ...last, number: next.number }) !== JSON.stringify(next)
  if (isReworded) await addPolicyRun(tx, row.organization_id)
  const versions = isReworded ? { versions: JSON.stringify([...known, next]) } : {}
  return updateOrganizationRecord(tx, policy, { row, changes: { ...changes, ...versions } })
}

/** Deletes a policy: it finds nothing against open expenses any more. */
export async function deletePolicy(tx: Tx, row: OrganizationRow<'policies'>): Promise<void> {
  await addPolicyRun(tx, row.organization_id)
  await deleteOrganizationRecord(tx, policy, row)
}

function versionOf(
  {
    holds_from = null,
    weight,
    condition,
    amount_minor = null,
    currency = null,
    days = null,
    tag_id = null,
  }: Partial<PolicyRow> & Pick<PolicyRow, 'weight' | 'condition'>,
  number: number,
): PolicyVersion {
  return { number, holds_from, weight, condition, amount_minor, currency, days, tag_id }
}

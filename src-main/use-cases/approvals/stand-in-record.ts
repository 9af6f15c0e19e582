import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { standInRoutes } from '#shared/contract/organization-records/stand-ins'
import { forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { isAtLeast } from '#shared/domain/roles'
import { newColumns, toColumns } from '#shared/records/columns'
import { standIn } from '#shared/records/stand-in'
import { listStandIns } from '#main/store/records/organizations/approval-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

type StandInInput = z.output<typeof standInRoutes.create.body>
type Times = Pick<Row<'stand_ins'>, 'user_id' | 'delegate_id' | 'starts_at' | 'ends_at'>

/**
 * People who stand in for others: for someone who approves, a reviewer who is present at that time. Approvers choose their own stand-in, admins
 * anyone's.
 */
export const standInRecord: OrganizationRecord<'stand_ins', StandInInput> = {
  table: 'stand_ins',
  action: 'stand_ins.write',
  assertValid: async (tx, { organization_id, row, input }) => {
    const times = { ...(row ?? emptyTimes), ...timesOf(input) }
    await assertOwn(tx, { organization_id, user_ids: [times.user_id, row?.user_id ?? times.user_id] })
    if (times.starts_at >= times.ends_at) throw invalid('ends_at', 'ends_before_start')
    if (input.ends_at !== undefined && times.ends_at <= tx.now) throw invalid('ends_at', 'is_past')
    await assertRoles(tx, organization_id, times)
    await assertPresent(tx, { organization_id, id: row?.id, times })
  },
  insert: (tx, organization_id, input) =>
    insertOrganizationRecord(tx, standIn, {
      ...newColumns(standIn.attributes, input),
      user_id: input.user,
      delegate_id: input.delegate,
      organization_id,
    }),
  update: (tx, row, input) => {
    const { user_id, delegate_id } = { ...row, ...timesOf(input) }
    return updateOrganizationRecord(tx, standIn, { row, changes: { ...toColumns(standIn.attributes, input), user_id, delegate_id } })
  },
  remove: async (tx, row) => {
    await assertOwn(tx, { organization_id: row.organization_id, user_ids: [row.user_id] })
    await deleteOrganizationRecord(tx, standIn, row)
  },
}

const emptyTimes: Times = { user_id: 0, delegate_id: 0, starts_at: '', ends_at: '' }

function timesOf({ user: user_id, delegate: delegate_id, starts_at, ends_at }: Partial<StandInInput>): Partial<Times> {
  const given = { user_id, delegate_id, starts_at, ends_at }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function assertOwn(tx: Tx, { organization_id, user_ids }: { organization_id: number; user_ids: readonly number[] }) {
  const { user_id } = tx.actor
  if (user_ids.every((id) => id === user_id)) return
  const role = await findRole(tx, { organization_id, user_id })
  if (!may('stand_ins.create_for_others', { role })) throw forbidden()
}

async function assertRoles(tx: Tx, organization_id: number, { user_id, delegate_id }: Times): Promise<void> {
  if (user_id === delegate_id) throw invalid('delegate', 'same_person')
  const [role, delegated] = [
    await findRole(tx, { organization_id, user_id }),
    await findRole(tx, { organization_id, user_id: delegate_id }),
  ]
  if (!isAtLeast(role, 'manager')) throw invalid('user', role ? 'not_an_approver' : 'not_a_member')
  // Stand-ins decide only what they can see already: standing in shows them nothing more.
  if (!isAtLeast(delegated, 'analyst')) throw invalid('delegate', delegated ? 'not_a_reviewer' : 'not_a_member')
}

/**
 * Throws for a delegate who is away at that time, and for an absence of someone who stands in at that time: each absent person needs a present one.
 */
async function assertPresent(
  tx: Tx,
  { organization_id, id, times }: { organization_id: number; id: number | undefined; times: Times },
): Promise<void> {
  const others = (await listStandIns(tx, organization_id)).filter((one) => one.id !== id && isTogether(one, times))
  if (others.some(({ user_id }) => user_id === times.delegate_id)) throw invalid('delegate', 'is_away')
  const held = others.find(({ delegate_id }) => delegate_id === times.user_id)
  if (held) throw invalid('user', 'stands_in', { person: await nameOf(tx, held.user_id) })
}

function isTogether(one: Times, other: Times): boolean {
  return one.starts_at < other.ends_at && other.starts_at < one.ends_at
}

/** Throws `invalid` if someone would lose what they need to stand in for others, now or later: someone else must be chosen first. */
export async function assertNotStandingIn(
  tx: Tx,
  { organization_id, user_id }: { organization_id: number; user_id: number },
): Promise<void> {
  const held = (await listStandIns(tx, organization_id)).find((one) => one.delegate_id === user_id && one.ends_at > tx.now)
  if (held) throw invalid('role', 'stands_in', { person: await nameOf(tx, held.user_id) })
}

async function nameOf(tx: Tx, user_id: number): Promise<string> {
  const [user] = await listUsersByIds(tx, [user_id])
  return user ? `${user.first_name} ${user.last_name}`.trim() : String(user_id)
}

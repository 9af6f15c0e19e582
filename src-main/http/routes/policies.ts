import { policyRoutes } from '#shared/contract/organization-records/policies'
import { policyReadRoutes } from '#shared/contract/organization-records/policy-reads'
import { fromMinor } from '#shared/domain/money'
import { policy } from '#shared/records/policy'
import { countPolicyRun } from '#main/store/queues/policy-runs'
import { readOtherSums } from '#main/store/records/expenses/policy-sums'
import { listPolicies, versionsOf } from '#main/store/records/organizations/policy-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { policyRecord } from '#main/use-cases/policies/policy-record'
import { assertMaySum } from '#main/use-cases/policies/assert-may-sum'
import { type Replay, replayPolicy } from '#main/use-cases/policies/replay-policy'
import { type Context, type Endpoint, query } from '../endpoint'
import { toFlag, toVersion } from '../representations/policies'
import { toOrganizationRecord } from '../representations/records'
import { nameOf } from '../representations/people'
import { organizationRecordEndpoints } from './organization-records'

async function toReplay(context: Context, name: string, { flagged, claimants, ...part }: Replay) {
  const users = await listUsersByIds(context.reader, [...claimants.keys()])
  return {
    ...part,
    claimants: users.map((user) => ({ id: user.id, name: nameOf(user), count: claimants.get(user.id) ?? 0 })),
    expenses: flagged.map(({ id, occurred_at, description, receiver_id, amount_minor, currency, flag }) => ({
      id,
      occurred_at,
      description,
      receiver_id,
      currency,
      amount: fromMinor(amount_minor, currency),
      flag: toFlag(flag, name),
    })),
  }
}

/** An organization's policies, and what they check (extension of the contract). */
export const policyEndpoints: Endpoint[] = [
  ...organizationRecordEndpoints({
    routes: policyRoutes,
    record: policyRecord,
    show: (_context, _role, rows) =>
      rows.map((row) => {
        const versions = versionsOf(row).map(toVersion)
        return { ...toOrganizationRecord(policy, row), number: versions.at(-1)?.number ?? 1, versions }
      }),
  }),
  query(policyReadRoutes.sums, async ({ reader, caller }, { params: { organization_id: id }, query: asked }) => {
    const { membership } = await getVisibleOrganization(reader, { id, user_id: caller.user_id, action: 'policies.list' })
    assertMaySum(membership, asked.claimant_id)
    const { claimant_id: receiver_id, except_id = 0, ...expense } = asked
    const sums = await readOtherSums(reader, await listPolicies(reader, id), { ...expense, receiver_id, payer_id: id, id: except_id })
    return { body: { policy_sums: [...sums].map(([policy_id, others]) => ({ policy_id, others })) } }
  }),
  query(policyReadRoutes.check, async ({ reader, caller: { user_id } }, { params: { organization_id: id } }) => {
    await getVisibleOrganization(reader, { id, user_id, action: 'policies.list' })
    return { body: { waiting: await countPolicyRun(reader, { organization_id: id, user_id }) } }
  }),
  query(policyReadRoutes.replay, async (context, { params: { organization_id: id }, query: { policy: said, since, after } }) => {
    const { reader, caller } = context
    await getVisibleOrganization(reader, { id, user_id: caller.user_id, action: 'policies.write' })
    const part = await replayPolicy(reader, { organization_id: id, user_id: caller.user_id, input: said, since, after })
    return { body: await toReplay(context, said.name, part) }
  }),
]

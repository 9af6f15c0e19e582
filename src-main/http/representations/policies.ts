import type { FlagRepresentation, PolicyVersionRepresentation } from '#shared/contract/organization-records/policies'
import { fromMinor } from '#shared/domain/money'
import type { Flag, PolicyVersion } from '#shared/domain/policies'
import { listPolicyNames } from '#main/store/records/organizations/policy-reader'
import type { Reader } from '#main/store/core/store'

/** A finding of an expense. `policy`: the policy's current name; null for findings without a policy. */
export function toFlag({ version, value, limit, currency, ...flag }: Flag, policy: string | null): FlagRepresentation {
  const shown = (measure: number | null) => (measure === null || currency === null ? measure : fromMinor(measure, currency))
  return { ...flag, policy, number: version, value: shown(value), limit: shown(limit), currency }
}

/** The findings of some expenses, with names of policies. */
export async function toFlags(reader: Reader, found: ReadonlyArray<readonly Flag[]>): Promise<FlagRepresentation[][]> {
  const named = found.flatMap((flags) => flags.flatMap(({ policy_id }) => policy_id ?? []))
  const policies = named.length === 0 ? new Map<number, string>() : await listPolicyNames(reader, named)
  return found.map((flags) => flags.map((flag) => toFlag(flag, flag.policy_id === null ? null : (policies.get(flag.policy_id) ?? ''))))
}

/** A version of a policy, and the day from which it applied. */
export function toVersion({ amount_minor, currency, ...said }: PolicyVersion): PolicyVersionRepresentation {
  const amount = amount_minor === null || currency === null ? null : fromMinor(amount_minor, currency)
  const lists = { dates: [...said.dates], tax_ids: [...said.tax_ids], tag_ids: [...said.tag_ids], claimant_ids: [...said.claimant_ids] }
  return { ...said, ...lists, currencies: [...said.currencies], kinds: [...said.kinds], amount, currency }
}

import type { FlagRepresentation, PolicyVersionRepresentation } from '#shared/contract/organization-records/policies'
import { fromMinor } from '#shared/domain/money'
import type { Flag, PolicyVersion } from '#shared/domain/policies'
import { listPolicyNames } from '#main/store/records/organizations/policy-reader'
import type { Reader } from '#main/store/core/store'

/** What was found against an expense. `policy`: the name of the policy now, null of what no policy asks for. */
export function toFlag({ version, value, limit, currency, ...flag }: Flag, policy: string | null): FlagRepresentation {
  const shown = (measure: number | null) => (measure === null || currency === null ? measure : fromMinor(measure, currency))
  return { ...flag, policy, number: version, value: shown(value), limit: shown(limit), currency }
}

/** What was found against some expenses, each with the policy's name. */
export async function toFlags(reader: Reader, found: ReadonlyArray<readonly Flag[]>): Promise<FlagRepresentation[][]> {
  const named = found.flatMap((flags) => flags.flatMap(({ policy_id }) => policy_id ?? []))
  const policies = named.length === 0 ? new Map<number, string>() : await listPolicyNames(reader, named)
  return found.map((flags) => flags.map((flag) => toFlag(flag, flag.policy_id === null ? null : (policies.get(flag.policy_id) ?? ''))))
}

/** What a policy said from a day on. */
export function toVersion({ amount_minor, currency, ...said }: PolicyVersion): PolicyVersionRepresentation {
  const amount = amount_minor === null || currency === null ? null : fromMinor(amount_minor, currency)
  const lists = { dates: [...said.dates], tax_ids: [...said.tax_ids], tag_ids: [...said.tag_ids], claimant_ids: [...said.claimant_ids] }
  return { ...said, ...lists, currencies: [...said.currencies], kinds: [...said.kinds], amount, currency }
}

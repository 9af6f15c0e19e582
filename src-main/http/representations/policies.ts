import type { FlagRepresentation, PolicyVersionRepresentation } from '#shared/contract/organization-records/policies'
import { fromMinor } from '#shared/domain/money'
import type { Flag, PolicyVersion } from '#shared/domain/policies'

/** What was found against an expense. `policy`: the name of the policy now, null of what no policy asks for. */
export function toFlag({ version, value, limit, currency, ...flag }: Flag, policy: string | null): FlagRepresentation {
  const shown = (measure: number | null) => (measure === null || currency === null ? measure : fromMinor(measure, currency))
  return { ...flag, policy, number: version, value: shown(value), limit: shown(limit), currency }
}

/** What a policy said from a day on. */
export function toVersion({ amount_minor, currency, ...said }: PolicyVersion): PolicyVersionRepresentation {
  const amount = amount_minor === null || currency === null ? null : fromMinor(amount_minor, currency)
  const lists = {
    dates: [...said.dates],
    tax_ids: [...said.tax_ids],
    tag_ids: [...said.tag_ids],
    claimant_ids: [...said.claimant_ids],
  }
  return { ...said, ...lists, currencies: [...said.currencies], kinds: [...said.kinds], amount, currency }
}

import { fromMinor } from '#shared/domain/money'
import { type Flag, type Policy, judge } from '#shared/domain/policies'
import { type ReplayPlace, type ReplayedRow, readReplayed } from '#main/store/records/expenses/replay-reader'
import { versionOf } from '#main/store/records/organizations/policy-writer'
import type { Reader } from '#main/store/core/store'
import { type PolicyInput, assertScopeKnown, toPolicyColumns } from './policy-record'

/** Expenses judged in one part: a caller waits a moment for it and shows the progress. */
const partLength = 2000
/** The most results to show. */
const mostShown = 50

/** The result of a part of a replay. `claimants`: the number of flagged expenses of each; `next`: null after the last part. */
export interface Replay {
  readonly checked: number
  readonly found: number
  readonly sums: Array<{ currency: string; amount: number }>
  readonly claimants: ReadonlyMap<number, number>
  readonly flagged: ReadonlyArray<ReplayedRow & { readonly flag: Flag }>
  readonly next: ReplayPlace | null
}

/** The input for a replay. */
export interface ReplayQuery {
  readonly organization_id: number
  readonly user_id: number
  readonly input: PolicyInput
  /** The instant from which expenses are judged. */
  readonly since: string
  /** The expense after which the part begins. */
  readonly after?: ReplayPlace | undefined
}

/** Which stored expenses an unsaved policy would have flagged; one part of them. Throws `invalid` as creating the policy would. */
export async function replayPolicy(reader: Reader, { organization_id, user_id, input, since, after }: ReplayQuery): Promise<Replay> {
  await assertScopeKnown(reader, { organization_id, row: undefined, input })
  const version = versionOf({ ...toPolicyColumns(input), organization_id }, 1)
  const policies: Policy[] = [{ id: 0, versions: [version] }]
  const from = after ?? { occurred_at: since, id: 0 }
  const rows = await readReplayed(reader, { organization_id, user_id, version, from, most: partLength })
  const flagged = rows.flatMap((row) => judge(policies, row).flatMap((flag) => (flag.is_checked ? [{ ...row, flag }] : [])))
  const last = rows.at(-1)
  return {
    checked: rows.length,
    found: flagged.length,
    sums: [...Map.groupBy(flagged, ({ currency }) => currency)].map(([currency, all]) => ({
      currency,
      amount: fromMinor(
        all.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
        currency,
      ),
    })),
    claimants: new Map([...Map.groupBy(flagged, ({ receiver_id }) => receiver_id)].map(([id, all]) => [id, all.length])),
    flagged: flagged.slice(0, mostShown),
    next: last && rows.length === partLength ? { occurred_at: last.occurred_at, id: last.id } : null,
  }
}

import { useFrame } from '#renderer/state/frame'
import { usePreferences } from '#renderer/state/preferences'
import type { Decision } from '#renderer/records/expense/deciding/decision'

/** The acts that give a reason. */
export type ReasonKind = Exclude<Extract<Decision, { reason: string }>['kind'], 'settle'>

/** How many reasons of a kind are offered again. */
const mostReasons = 6

/** The reasons with one used just now, the latest first, none twice. */
export function withRecent(reasons: readonly string[], used: string): string[] {
  return [used, ...reasons.filter((reason) => reason !== used)].slice(0, mostReasons)
}

/** The reasons that a person gave in an organization, apart for each kind of act. */
export type RecentReasons = {
  readonly of: (kind: ReasonKind) => readonly string[]
  readonly use: (kind: ReasonKind, reason: string) => void
  readonly remove: (kind: ReasonKind, reason: string) => void
}

/** The reasons that are offered again to who is signed in. */
export function useRecentReasons(organizationId: number | null): RecentReasons {
  const user_id = useFrame((state) => state.user?.id ?? 0)
  const reasons = usePreferences((state) => state.reasons)
  const keyOf = (kind: ReasonKind) => `${user_id} ${organizationId ?? 0} ${kind}`
  const of = (kind: ReasonKind) => reasons[keyOf(kind)] ?? []
  const put = (kind: ReasonKind, next: string[]) => usePreferences.getState().set({ reasons: { ...reasons, [keyOf(kind)]: next } })
  return {
    of,
    use: (kind, reason) => put(kind, withRecent(of(kind), reason)),
    remove: (kind, reason) =>
      put(
        kind,
        of(kind).filter((known) => known !== reason),
      ),
  }
}

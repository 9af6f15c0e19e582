import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { fromMinor } from '#shared/domain/money'
import { type Flag, judge, withoutDeletedTags } from '#shared/domain/policies'
import { isMeasuredBy, isOfPolicy } from '#shared/domain/policies/terms'
import { useSession } from '../../api/session'
import { useTags } from '../../api/tags'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { toPolicy, usePolicies, usePolicySums } from '../policies'
import { type DraftBooking, DraftMonth } from './draft-month'
import { FlagList, type ShownFlag } from './flag-list'
import classes from './flag-list.module.css'
import { type WrittenExpense, readWritten } from './written-expense'

/** What policies find against an expense while it is written, also without a network. */
export type Verdict = ReadonlyArray<ShownFlag & Pick<Flag, 'is_explained' | 'weight'>>

const noVerdict: Verdict = []
const noPolicies: PolicyRepresentation[] = []

/** Whether the claimant has to say why. */
export function wantsReason(verdict: Verdict): boolean {
  return verdict.some(({ weight, is_checked }) => weight === 'reason' && is_checked)
}

/** Whether the claimant has yet to say why. */
export function lacksReason(verdict: Verdict): boolean {
  return verdict.some(({ weight, is_checked, is_explained }) => weight === 'reason' && is_checked && !is_explained)
}

function useWritten(organizationId: number | null, written: WrittenExpense) {
  const { data: tags = [] } = useTags(organizationId)
  const { data: session } = useSession()
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  if (!session) return undefined
  const writing = { language, today: dayOf(now(), timezone), now: now().toISOString(), user_id: session.user.id, tags }
  return readWritten(written, writing)
}

/** What the policies of an organization find against an expense as it is written. */
export function useVerdict(organizationId: number | null, written: WrittenExpense): Verdict {
  const { data: policies = noPolicies } = usePolicies(organizationId)
  const { data: tags } = useTags(organizationId)
  const judges = useMemo(() => {
    const known = tags && new Set(tags.map(({ id }) => id))
    // Until the tags are read, none counts as deleted.
    return policies.map((policy) => withoutDeletedTags(toPolicy(policy), (id) => known?.has(id) ?? true))
  }, [policies, tags])
  const expense = useWritten(organizationId, written)
  const adds = policies.some(({ versions }) => versions.some(({ condition }) => isMeasuredBy(condition, 'period')))
  const others = usePolicySums(
    organizationId,
    expense && adds
      ? {
          ...{ claimant_id: expense.receiver_id, occurred_at: expense.occurred_at, currency: expense.currency },
          ...{ kind: written.kind, tag_ids: expense.tag_ids.join(',') },
          ...(written.stored && { except_id: written.stored.id }),
        }
      : undefined,
  )
  if (policies.length === 0 || !expense) return noVerdict
  // What a distance costs, the server works out.
  const isKnown = ({ condition }: Flag) =>
    written.kind === 'monetary' || !isOfPolicy(condition) || (condition !== 'invoice_total' && !isMeasuredBy(condition, 'amount'))
  return judge(judges, { ...expense, others })
    .filter(isKnown)
    .map((flag) => {
      const shown = (measure: number | null) => (measure === null || flag.currency === null ? measure : fromMinor(measure, flag.currency))
      const policy = policies.find(({ id }) => id === flag.policy_id)?.name ?? ''
      return { ...flag, policy, value: shown(flag.value), limit: shown(flag.limit) }
    })
}

/** What policies find against an expense while it is written, and what its month does. */
export function DraftVerdict({ verdict, booking }: { verdict: Verdict; booking: DraftBooking }) {
  const { t } = useTranslation('policies')
  return (
    <div aria-live="polite">
      <DraftMonth {...booking} />
      {verdict.length > 0 && (
        <>
          <p className={classes.heading}>{t('flags.draft')}</p>
          <FlagList flags={verdict} label={t('flags.draft')} />
        </>
      )}
    </div>
  )
}

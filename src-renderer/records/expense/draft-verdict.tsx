import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { parseAmountInput } from '#shared/domain/amount-text'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { type Policy, judge } from '#shared/domain/policies'
import { useTags } from '../../api/tags'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { usePolicies } from '../policies'
import { FlagList } from './flag-list'
import classes from './flag-list.module.css'

/** An expense as a form holds it. `receipts`: how many it has or will have; `created_at`: when it was recorded, if it was. */
export interface WrittenExpense {
  readonly amount: string
  readonly currency: string
  readonly day: string
  readonly description: string
  readonly supplier_name: string
  readonly location: string
  readonly tags: readonly string[]
  readonly receipts: number
  readonly created_at?: string
}

/** A policy as its organization says it now; what it said before is known to the server. */
function toPolicy({ id, number, amount, currency, ...said }: PolicyRepresentation): Policy {
  const parsed = amount === null || currency === null ? undefined : parseAmount(amount, currency)
  const amount_minor = parsed?.kind === 'ok' ? parsed.amount_minor : null
  return { id, versions: [{ ...said, number, amount_minor, currency }] }
}

function useVerdict(organizationId: number, written: WrittenExpense) {
  const { data: policies = [] } = usePolicies(organizationId)
  const { data: tags = [] } = useTags(organizationId)
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { currency } = written
  const read = parseAmountInput(written.amount, { currency, language })
  const money = read.kind === 'ok' ? parseAmount(read.amount, currency) : undefined
  const today = dayOf(now(), timezone)
  const day = parseDateInput(written.day, today)
  if (policies.length === 0 || money?.kind !== 'ok' || day.kind === 'not_a_date') return []
  const textOf = (text: string) => (text.trim() === '' ? null : text.trim())
  const flags = judge(policies.map(toPolicy), {
    // Until there is a date, as of today.
    occurred_at: `${day.kind === 'ok' ? day.date : today}T00:00:00Z`,
    created_at: written.created_at ?? now().toISOString(),
    amount_minor: money.amount_minor,
    currency,
    description: textOf(written.description),
    supplier_name: textOf(written.supplier_name),
    location: textOf(written.location),
    attachments_count: written.receipts,
    tag_ids: tags.filter(({ name }) => written.tags.includes(name)).map(({ id }) => id),
  })
  return flags.map((flag) => {
    const shown = (measure: number | null) =>
      measure === null || flag.currency === null ? measure : fromMinor(measure, flag.currency)
    const policy = policies.find(({ id }) => id === flag.policy_id)?.name ?? ''
    return { ...flag, policy, value: shown(flag.value), limit: shown(flag.limit) }
  })
}

/** What the policies of an organization find against an expense while it is written, also without a network. */
export function DraftVerdict({ organizationId, written }: { organizationId: number; written: WrittenExpense }) {
  const { t } = useTranslation('policies')
  const flags = useVerdict(organizationId, written)
  return (
    <div aria-live="polite">
      {flags.length > 0 && (
        <>
          <p className={classes.heading}>{t('flags.draft')}</p>
          <FlagList flags={flags} label={t('flags.draft')} />
        </>
      )}
    </div>
  )
}

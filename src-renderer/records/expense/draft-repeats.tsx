import { useDebouncedValue } from '@mantine/hooks'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { parseAmountInput } from '#shared/domain/amount-text'
import { titleOf } from '#shared/domain/suppliers/purchase'
import { type RepeatQuery, useDraftRepeats } from '../../api/repeats'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { now } from '../../ui/values/clock'
import { Instant } from '../../ui/values/instant'
import { StatusBadge } from '../../ui/values/status-badge'
import classes from './invoices.module.css'

/** Typing is over after so long: each key would ask again otherwise. */
const pauseMs = 300

/** An expense as a form holds it, and what is known of its receipts. `except_id`: its own id, once it is stored. */
export interface ComparedDraft {
  readonly kind: 'monetary' | 'distance'
  readonly amount: string
  readonly currency: string
  readonly day: string
  readonly receiver_id: number | null
  readonly description: string
  readonly supplier_name: string
  readonly supplier_tax_id: string
  readonly files: readonly string[]
  readonly invoice_keys: readonly string[]
  readonly capture_ids: readonly number[]
  readonly except_id?: number | undefined
}

function useQueryOf(draft: ComparedDraft): RepeatQuery {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const read = parseAmountInput(draft.amount, { currency: draft.currency, language })
  const day = parseDateInput(draft.day, dayOf(now(), timezone))
  const isWhole = draft.kind === 'monetary' && read.kind === 'ok' && day.kind === 'ok'
  const listed = { files: draft.files, invoice_keys: draft.invoice_keys, capture_ids: draft.capture_ids }
  return {
    ...(isWhole && { amount: String(read.amount), currency: draft.currency, occurred_at: day.date }),
    ...(draft.receiver_id !== null && { receiver_id: String(draft.receiver_id) }),
    ...(draft.except_id !== undefined && { except_id: String(draft.except_id) }),
    description: draft.description.slice(0, 500),
    supplier_name: draft.supplier_name.slice(0, 200),
    supplier_tax_id: draft.supplier_tax_id.slice(0, 40),
    ...Object.fromEntries(Object.entries(listed).flatMap(([name, some]) => (some.length === 0 ? [] : [[name, some.join(',')]]))),
  }
}

/** The expenses that one which is being written may repeat, before it is saved; of those of others only that there are some. */
export function DraftRepeats({ organizationId, draft }: { organizationId: number; draft: ComparedDraft }) {
  const { t } = useTranslation('repeats')
  const [query] = useDebouncedValue(useQueryOf(draft), pauseMs)
  const hasReceipts = [draft.files, draft.invoice_keys, draft.capture_ids].some((some) => some.length > 0)
  const { data } = useDraftRepeats(organizationId, query, query.amount !== undefined || hasReceipts)
  const { repeats = [], hidden_count = 0 } = data ?? {}
  const isAny = repeats.length + hidden_count > 0
  return (
    <div aria-live="polite">
      {isAny && (
        <div className={classes.repeats} role="note">
          <TriangleAlert size={16} aria-hidden className={classes.alert} />
          <div className={classes.grow}>
            {t('draft')}
            <ul className={classes.uses}>
              {repeats.map(({ expense, evidence }) => (
                <li key={expense.id} className={classes.use}>
                  <div className={classes.useLine}>
                    <Link href={`/expenses/${expense.id}`} className={classes.link}>
                      #{expense.id}
                    </Link>
                    <span className={classes.clip}>{titleOf(expense)}</span>
                    <Amount amount={expense.amount} currency={expense.currency} />
                  </div>
                  <div className={classes.useLine}>
                    <StatusBadge status={expense.status} />
                    <span className={classes.clip}>{expense.receiver.name}</span>
                    <Instant value={expense.occurred_at} show="day" />
                  </div>
                  <p className={classes.quiet}>{evidence.map((name) => t(`evidence.${name}`)).join(' · ')}</p>
                </li>
              ))}
            </ul>
            {hidden_count > 0 && <p className={classes.quiet}>{t('hidden', { count: hidden_count })}</p>}
          </div>
        </div>
      )}
    </div>
  )
}

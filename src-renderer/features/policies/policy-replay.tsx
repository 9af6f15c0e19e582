import { Button, NativeSelect, Progress } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type PolicyReplay as Part, type ReplayedExpense, policyReadRoutes } from '#shared/contract/organization-records/policy-reads'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { FlagList } from '../../records/expense/flag-list'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatCount, formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import classes from './policies.module.css'
import type { PolicyFields } from './policy-values'

const spans = [1, 3, 6, 12, 24, 60] as const
const mostShown = 50

/** What was found so far. `until`: how far the dates of the expenses are, from 0 to 1. */
type Found = Pick<Part, 'checked' | 'found' | 'sums' | 'claimants' | 'expenses'> & { readonly until: number; readonly isWhole: boolean }

const nothing: Found = { checked: 0, found: 0, sums: [], claimants: [], expenses: [], until: 0, isWhole: false }

function addTo(found: Found, part: Part, until: number): Found {
  const sums = Map.groupBy([...found.sums, ...part.sums], ({ currency }) => currency)
  const claimants = new Map(found.claimants.map((claimant) => [claimant.id, claimant]))
  for (const { id, name, count } of part.claimants) claimants.set(id, { id, name, count: count + (claimants.get(id)?.count ?? 0) })
  return {
    checked: found.checked + part.checked,
    found: found.found + part.found,
    sums: [...sums].map(([currency, parts]) => ({ currency, amount: addUp(parts, currency) })),
    claimants: [...claimants.values()].toSorted((a, b) => b.count - a.count),
    expenses: [...found.expenses, ...part.expenses].slice(0, mostShown),
    until,
    isWhole: part.next === null,
  }
}

function addUp(parts: Found['sums'], currency: string): number {
  const minor = parts.map(({ amount }) => parseAmount(amount, currency)).map((read) => (read.kind === 'ok' ? read.amount_minor : 0))
  return fromMinor(
    minor.reduce((sum, each) => sum + each, 0),
    currency,
  )
}

/** The same day some months ago, as an instant. */
function monthsAgo(months: number): string {
  const date = now()
  date.setUTCMonth(date.getUTCMonth() - months)
  return `${date.toISOString().slice(0, 10)}T00:00:00Z`
}

function useReplay(organization_id: number) {
  const [running, setRunning] = useState<AbortController>()
  const [found, setFound] = useState<Found>()
  const [error, setError] = useState<unknown>()
  const run = async (fields: PolicyFields, months: number) => {
    running?.abort()
    const controller = new AbortController()
    const { signal } = controller
    setRunning(controller)
    setError(undefined)
    setFound(nothing)
    const since = monthsAgo(months)
    const [start, end] = [Date.parse(since), now().getTime()]
    let [all, after] = [nothing, undefined as Part['next'] | undefined]
    while (!all.isWhole) {
      const query = { policy: JSON.stringify(fields), since, ...(after && { after: JSON.stringify(after) }) }
      const part = await call(policyReadRoutes.replay, { params: { organization_id }, query, signal })
      after = part.next
      all = addTo(all, part, after === null ? 1 : (Date.parse(after.occurred_at) - start) / (end - start))
      setFound(all)
    }
    setRunning(undefined)
  }
  return {
    found,
    error,
    isRunning: running !== undefined,
    start: (fields: PolicyFields, months: number) =>
      void run(fields, months).catch((failure: unknown) => {
        if (failure instanceof DOMException && failure.name === 'AbortError') return
        setError(failure)
        setRunning(undefined)
      }),
    stop: () => {
      running?.abort()
      setRunning(undefined)
    },
  }
}

/** Tries a policy on stored expenses before anyone is bothered by it. `fields`: what it would say; undefined while that is not whole. */
export function PolicyReplay({ organizationId, fields }: { organizationId: number; fields: PolicyFields | undefined }) {
  const { t } = useTranslation('policies')
  const [months, setMonths] = useState(3)
  const [tried, setTried] = useState<string>()
  const replay = useReplay(organizationId)
  const isOther = tried !== undefined && tried !== JSON.stringify(fields)
  return (
    <section className={classes.replay} aria-labelledby="policy-replay">
      <h3 id="policy-replay" className={classes.label}>
        {t('replay.title')}
      </h3>
      <div className={classes.actions}>
        <NativeSelect
          size="xs"
          aria-label={t('replay.span')}
          value={String(months)}
          onChange={(event) => setMonths(Number(event.currentTarget.value))}
          data={spans.map((count) => ({ value: String(count), label: t('replay.months', { count }) }))}
        />
        {replay.isRunning ? (
          <Button size="xs" variant="default" onClick={replay.stop}>
            {t('replay.stop')}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            disabled={!fields}
            onClick={() => {
              if (!fields) return
              setTried(JSON.stringify(fields))
              replay.start({ ...fields, name: fields.name || t('title') }, months)
            }}
          >
            {t('replay.start')}
          </Button>
        )}
      </div>
      {!fields && <p className={classes.hint}>{t('replay.notWhole')}</p>}
      {replay.error !== undefined && (
        <p className={classes.failure} role="alert">
          {t('replay.failed', { reason: failureText(replay.error) })}
        </p>
      )}
      {replay.found && (
        <div aria-live="polite" data-other={isOther || undefined} className={classes.found}>
          {replay.isRunning && <Progress value={replay.found.until * 100} aria-label={t('replay.progress')} size="sm" />}
          {isOther && <p className={classes.hint}>{t('replay.changed')}</p>}
          <ReplayFound found={replay.found} />
        </div>
      )}
    </section>
  )
}

function ReplayFound({ found }: { found: Found }) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const count = (value: number) => formatCount(value, language)
  return (
    <>
      <p className={classes.summary}>
        {t('replay.found', { count: found.found, checked: count(found.checked) })}
        {found.found > 0 && ` · ${found.sums.map((sum) => formatMoney(sum, { language, display })).join(' + ')}`}
      </p>
      {found.claimants.length > 0 && (
        <p className={classes.hint}>
          {found.claimants
            .slice(0, 5)
            .map((claimant) => `${claimant.name} (${count(claimant.count)})`)
            .join(', ')}
          {found.claimants.length > 5 && ` ${t('replay.more', { count: found.claimants.length - 5 })}`}
        </p>
      )}
      <ul className={classes.rows}>
        {found.expenses.map((expense) => (
          <ReplayRow key={expense.id} expense={expense} />
        ))}
      </ul>
      {found.found > found.expenses.length && found.expenses.length > 0 && (
        <p className={classes.hint}>{t('replay.first', { count: found.expenses.length })}</p>
      )}
    </>
  )
}

function ReplayRow({ expense: { id, occurred_at, description, amount, currency, flag } }: { expense: ReplayedExpense }) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return (
    <li className={classes.row}>
      <span className={classes.rowLine}>
        <Link href={`/expenses/${id}`} className={classes.link}>
          {description ?? `#${id}`}
        </Link>
        <span className={classes.amount}>{formatMoney({ amount, currency }, { language, display })}</span>
        <Instant value={occurred_at} />
      </span>
      <FlagList flags={[flag]} label={t('flags.title')} />
    </li>
  )
}

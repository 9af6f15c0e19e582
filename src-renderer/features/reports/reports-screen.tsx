import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { Bookmark, Printer } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { useExpenseNames } from '../../api/expenses'
import { useSession } from '../../api/session'
import { FilterBar } from '../../records/filters/filter-bar'
import { isOfOneStatus, toListFilter } from '../../records/filters/review-view'
import { SavedViews } from '../../records/filters/saved-views'
import { useTermWords } from '../../records/filters/term-words'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { useUndo } from '../../ui/feedback/use-undo'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { now } from '../../ui/values/clock'
import { formatAbsolute } from '../../ui/values/format'
import { AdvancesFigure } from './advances-figure'
import { OverviewFigure } from './overview-figure'
import { PeriodMenu } from './period-menu'
import { RatesSheet } from './rates-sheet'
import { formatReport, isSpending, parseReport, reportKinds, type ReportView } from './report-view'
import { SpendingFigures } from './spending-figures'
import { TimesFigure } from './times-figure'
import classes from './reports.module.css'

/** What the expenses of a filter come to, with pictures. Everything that it shows is in its address. */
export function ReportsScreen() {
  const { t } = useTranslation('reports')
  const membership = useMembership()
  const search = useSearch()
  const [, navigate] = useLocation()
  const view = useMemo(() => parseReport(search), [search])
  const show = (change: Partial<ReportView>, options: { isReplacing: boolean } = { isReplacing: false }) =>
    navigate(`/reports?${formatReport({ ...view, ...change })}`, { replace: options.isReplacing })
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <Reports key={membership.organization.id} organizationId={membership.organization.id} view={view} show={show} />
}

type ReportsProps = {
  organizationId: number
  view: ReportView
  show: (change: Partial<ReportView>, options?: { isReplacing: boolean }) => void
}

function Reports({ organizationId, view, show }: ReportsProps) {
  const { t } = useTranslation('reports')
  const searchRef = useRef<HTMLInputElement>(null)
  const bodyRef = useRef<HTMLDivElement>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [areRatesOpen, setRatesOpen] = useState(false)
  const { filters, by } = view
  const offerUndo = useUndo({ scope: 'reports-undo', title: t('title') })
  const today = now().toISOString().slice(0, 10)
  const people = useExpenseNames(organizationId, 'receiver', true).data
  const tags = useExpenseNames(organizationId, 'tag', true).data
  const filter = toListFilter(filters, organizationId)
  const areSums = isSpending(by) || by === 'overview'
  const onReset = () => show({ filters: { ...filters, terms: [], search: '', queue: 'all' } })
  const step = (by_: number) =>
    show({ by: reportKinds[(reportKinds.indexOf(by) + by_ + reportKinds.length) % reportKinds.length] ?? 'overview' })
  useShortcuts({ scope: 'reports', title: t('title') }, [
    { id: 'next', keys: ']', label: t('key.next'), run: () => step(1) },
    { id: 'previous', keys: '[', label: t('key.previous'), run: () => step(-1) },
    { id: 'filter', keys: 'f', label: t('review:filter.add'), run: () => setMenuOpen(true) },
    { id: 'search', keys: '/', label: t('review:search.label'), run: () => searchRef.current?.focus() },
    { id: 'print', keys: 'shift+p', label: t('print'), run: () => window.print() },
  ])
  return (
    <div className={classes.screen} data-report>
      <nav className={classes.tabs} aria-label={t('kinds')}>
        {reportKinds.map((kind) => (
          <Link
            key={kind}
            href={`/reports?${formatReport({ ...view, by: kind })}`}
            className={classes.tab}
            aria-current={kind === by ? 'page' : undefined}
          >
            {t(`by.${kind}`)}
          </Link>
        ))}
      </nav>
      <FilterBar
        view={filters}
        names={{ people, tags }}
        isMenuOpen={isMenuOpen}
        onMenu={setMenuOpen}
        onShow={(change, options) => show({ filters: { ...filters, ...change } }, options)}
        onLeave={() => bodyRef.current?.focus({ preventScroll: true })}
        searchRef={searchRef}
      >
        <div className={classes.tools}>
          <PeriodMenu terms={filters.terms} today={today} onChange={(terms) => show({ filters: { ...filters, terms } })} />
          <Currencies people={people} view={view} show={show} />
          {isSpending(by) && by !== 'month' && (
            <Switch
              size="xs"
              label={t('byMonth')}
              checked={view.byMonth}
              onChange={(event) => show({ byMonth: event.currentTarget.checked })}
            />
          )}
          {view.convertTo !== undefined && areSums && (
            <Button variant="subtle" color="gray" onClick={() => setRatesOpen(true)}>
              {t('rates.sheet.open')}
            </Button>
          )}
          <SavedViews view={filters} icon={<Bookmark size={16} />} screen="/reports" />
          <ActionIcon aria-label={t('print')} title={`${t('print')} (⇧P)`} onClick={() => window.print()}>
            <Printer size={16} />
          </ActionIcon>
        </div>
      </FilterBar>
      {areRatesOpen && view.convertTo !== undefined && (
        <RatesSheet organizationId={organizationId} currency={view.convertTo} offerUndo={offerUndo} onClose={() => setRatesOpen(false)} />
      )}
      <div ref={bodyRef} className={classes.body} tabIndex={-1}>
        <PrintHead view={view} people={people} />
        {by === 'overview' ? (
          <OverviewFigure {...{ filter, view, today, onReset }} />
        ) : by === 'times' ? (
          <TimesFigure filter={filter} />
        ) : by === 'advances' ? (
          <AdvancesFigure organizationId={organizationId} terms={filters.terms} />
        ) : (
          <SpendingFigures {...{ filter, filters, by, today, byMonth: view.byMonth, convertTo: view.convertTo }} onReset={onReset} />
        )}
      </div>
    </div>
  )
}

/** What a printed report says of itself: of whom, what its filters are, and when it was made. */
function PrintHead({ view: { by, filters }, people }: Pick<ReportsProps, 'view'> & { people: ReturnType<typeof useExpenseNames>['data'] }) {
  const { t } = useTranslation(['reports', 'status'])
  const membership = useMembership()
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const words = useTermWords(people, filters.terms)
  const { queue, terms, search } = filters
  const said = terms.map((term) => Object.values(words(term)).filter(Boolean).join(' '))
  const shown = isOfOneStatus(queue) ? t(`status:${queue}`) : queue === 'all' ? undefined : t(`review:queue.${queue}`)
  const made = formatAbsolute(now().toISOString(), { language, timezone, now: now() })
  return (
    <div className={classes.printHead}>
      <h1>{t('printTitle', { by: t(`by.${by}`) })}</h1>
      <p>{[membership?.organization.name, shown, ...said, search, made].filter(Boolean).join(' · ')}</p>
    </div>
  )
}

/** Each currency apart, or all of them in one. */
function Currencies({ people, view, show }: Pick<ReportsProps, 'view' | 'show'> & { people: ReturnType<typeof useExpenseNames>['data'] }) {
  const { t } = useTranslation('reports')
  const own = useSession().data?.user.default_currency
  const met = (people?.groups ?? []).flatMap(({ totals }) => totals.map(({ currency }) => currency))
  const offered = [...new Set([...(own ? [own] : []), ...met, ...(view.convertTo ? [view.convertTo] : [])])]
  const areSums = isSpending(view.by) || view.by === 'overview'
  if (!areSums || (offered.length < 2 && view.convertTo === undefined)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray">
          {view.convertTo === undefined ? t('convert.apart') : t('convert.into', { currency: view.convertTo })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} className={classes.menu}>
        <Menu.RadioItem value="" checked={view.convertTo === undefined} closeMenuOnClick onChange={() => show({ convertTo: undefined })}>
          {t('convert.apart')}
        </Menu.RadioItem>
        {offered.map((currency) => (
          <Menu.RadioItem
            key={currency}
            value={currency}
            checked={view.convertTo === currency}
            closeMenuOnClick
            onChange={() => show({ convertTo: currency })}
          >
            {t('convert.into', { currency })}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

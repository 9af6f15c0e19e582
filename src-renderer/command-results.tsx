import { Spotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { expenseRoutes } from '#shared/contract/expenses'
import { may } from '#shared/domain/permissions'
import { isSearchable, searchWords } from '#shared/domain/search-words'
import { call } from './api/client'
import { expenseKeys } from './api/expenses'
import { useMembers } from './api/organization-lists'
import { useMembership } from './state/membership'
import { usePreferences } from './state/preferences'
import type { CommandPanelProps } from './ui/shell/command-box'
import { CommandPanel } from './ui/shell/command-panel'
import { SearchedAmount } from './ui/form/amount-text'
import { now } from './ui/values/clock'
import { formatDay, formatMoney } from './ui/values/format'
import { containsEveryWord } from './ui/values/contains-every-word'
import classes from './ui/parts.module.css'

/** How long typing rests before the server is asked. */
const restMs = 200
const mostShown = 6

/** The expenses whose texts, number or amount meet a search, of those that the person may see; an outdated search is aborted. */
function useFoundExpenses(text: string, organizationId: number | null) {
  const isAsked = organizationId !== null && searchWords(text).length > 0 && isSearchable(text)
  const filter = { payer_id_eq: organizationId, search: text }
  return useQuery({
    queryKey: expenseKeys.list(filter, 'commands'),
    enabled: isAsked,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { q: filter, sort: '-occurred_at,-id', page: 1, per_page: mostShown }
      return (await call(expenseRoutes.list, { query, signal })).expenses
    },
  })
}

/** Search results of Ctrl+K in addition to commands: people and expenses of the current organization. `query` is never blank. */
function CommandResults({ query }: { query: string }) {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const membership = useMembership()
  const organizationId = membership?.organization.id ?? null
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const [text] = useDebouncedValue(query, restMs)
  const people = useMembers(organizationId)
    .filter(({ name }) => containsEveryWord(name, query))
    .slice(0, mostShown)
  const { data: expenses, error, isLoading } = useFoundExpenses(text, organizationId)
  const isReviewer = may('expenses.read', { role: membership?.role })
  // While it is read again, what was found stays: Enter takes it.
  const isWaiting = isLoading || text !== query
  const found = isWaiting ? [] : (expenses ?? [])
  return (
    <>
      {people.length > 0 && (
        <Spotlight.ActionsGroup label={t('found.people')}>
          {people.map(({ id, name }) => (
            <Spotlight.Action
              key={id}
              label={name}
              onClick={() => navigate(isReviewer ? `/review?queue=all&f=receiver.is.${id}` : `/team/${id}`)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {found.length > 0 && (
        <Spotlight.ActionsGroup label={t('found.expenses')}>
          {found.map(({ id, description, amount, currency, occurred_at, receiver }) => (
            <Spotlight.Action
              key={id}
              label={description ?? `#${id}`}
              description={`#${id} · ${receiver.name} · ${formatDay(occurred_at, { language, timezone, now: now() })}`}
              rightSection={<span className="tabular">{formatMoney({ amount, currency }, { language, display: 'code' })}</span>}
              onClick={() => navigate(`/expenses/${id}`)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      <p className={classes.foundNote} role="status">
        <SearchedAmount text={query} />{' '}
        {error && !isWaiting
          ? t('found.failed')
          : isWaiting
            ? t('found.searching')
            : found.length + people.length === 0
              ? t('found.nothing')
              : ''}
      </p>
    </>
  )
}

/** Everything that Ctrl+K finds. */
export function Commands(props: CommandPanelProps) {
  return <CommandPanel {...props} Results={CommandResults} />
}

import { Button, Menu } from '@mantine/core'
import { CalendarDays } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { addMonths, lastDayOf } from '#shared/domain/reports/reports'
import type { FilterTerm } from '../../records/filters/filter-terms'

/** Periods to choose from: the first month, and how many months from it. */
const periods = {
  thisMonth: { months: () => 0, length: 1 },
  lastMonth: { months: () => -1, length: 1 },
  quarter: { months: (month: number) => -((month - 1) % 3), length: 3 },
  year: { months: (month: number) => 1 - month, length: 12 },
  lastYear: { months: (month: number) => -11 - month, length: 12 },
  twelve: { months: () => -11, length: 12 },
} as const
const names = ['thisMonth', 'lastMonth', 'quarter', 'year', 'lastYear', 'twelve'] as const

/** The dates of a period as filters. */
export function periodTerms(name: (typeof names)[number], today: string): readonly FilterTerm[] {
  const { months, length } = periods[name]
  const first = addMonths(today.slice(0, 7), months(Number(today.slice(5, 7))))
  return [
    { attribute: 'occurred_at', operator: 'from', value: `${first}-01` },
    { attribute: 'occurred_at', operator: 'to', value: lastDayOf(addMonths(first, length - 1)) },
  ]
}

/** Narrows a report to the dates of a period; each is compared with the one before. */
export function PeriodMenu({
  terms,
  today,
  onChange,
}: {
  terms: readonly FilterTerm[]
  today: string
  onChange: (terms: readonly FilterTerm[]) => void
}) {
  const { t } = useTranslation('reports')
  const others = terms.filter(({ attribute }) => attribute !== 'occurred_at')
  const dates = terms.filter(({ attribute }) => attribute === 'occurred_at')
  const chosen = names.find((name) => JSON.stringify(periodTerms(name, today)) === JSON.stringify(dates))
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<CalendarDays size={14} aria-hidden />}>
          {chosen ? t(`period.${chosen}`) : dates.length === 0 ? t('period.all') : t('period.own')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.RadioItem
            key={name}
            value={name}
            checked={name === chosen}
            closeMenuOnClick
            onChange={() => onChange([...others, ...periodTerms(name, today)])}
          >
            {t(`period.${name}`)}
          </Menu.RadioItem>
        ))}
        <Menu.RadioItem value="all" checked={dates.length === 0} closeMenuOnClick onChange={() => onChange(others)}>
          {t('period.all')}
        </Menu.RadioItem>
      </Menu.Dropdown>
    </Menu>
  )
}

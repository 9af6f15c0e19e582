import { Lock } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import { ListScreen } from '../../records/list-screen/list-screen'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { formatCount, formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { MonthPanel } from './month-panel'
import { type MonthRow, useMonthRows } from './month-rows'
import classes from './closings.module.css'

/** The months of the organization that are over, to close and to reopen. `id`: the one shown next to the list. */
export function ClosingsScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('closings')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <MonthList key={membership.organization.id} id={id} membership={membership} />
}

type MonthListProps = { id: string | undefined; membership: Session['memberships'][number] }

function MonthList({ id, membership: { organization, role } }: MonthListProps) {
  const all = useMonthRows(organization.id)
  const canWrite = may('closings.write', { role })
  return (
    <ListScreen
      name="closings"
      exports="closings"
      id={id}
      canWrite={false}
      all={all}
      columns={useMonthColumns()}
      arrange={(months, search) => months.filter(({ name, month }) => containsEveryWord(`${name} ${month}`, search))}
      renderNew={() => null}
      renderDetail={(row) => <MonthPanel key={row.id} row={row} organizationId={organization.id} canWrite={canWrite} />}
      renderDelete={() => null}
    />
  )
}

function useMonthColumns(): GridColumn<MonthRow>[] {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return useMemo(
    () => [
      { id: 'name', header: t('column.month'), width: 150, fill: true, fixed: true, render: ({ name }) => name },
      {
        id: 'state',
        header: t('column.state'),
        width: 170,
        fixed: true,
        render: ({ closing }) =>
          closing ? (
            <span className={classes.state}>
              <Lock size={13} aria-hidden />
              {t('state.closed')} <Instant value={closing.created_at} />
            </span>
          ) : (
            t('state.open')
          ),
      },
      {
        id: 'count',
        header: t('column.count'),
        width: 90,
        align: 'end',
        yields: 2,
        render: ({ count }) => (
          <>
            {formatCount(count, language)} <span className={classes.unit}>{t('unit.count', { count })}</span>
          </>
        ),
      },
      {
        id: 'open',
        header: t('column.open'),
        width: 90,
        align: 'end',
        yields: 1,
        render: ({ open }) =>
          open > 0 && (
            <>
              {formatCount(open, language)} <span className={classes.unit}>{t('unit.open', { count: open })}</span>
            </>
          ),
      },
      {
        id: 'totals',
        header: t('column.totals'),
        width: 220,
        align: 'end',
        yields: 3,
        render: ({ totals }) => totals.map((money) => formatMoney(money, { language, display })).join(' · '),
      },
    ],
    [t, language, display],
  )
}

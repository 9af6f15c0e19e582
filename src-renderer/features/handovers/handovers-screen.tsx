import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Handover } from '#shared/contract/instance/handovers'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { useHandovers } from '../../api/exports/handovers'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import type { GridColumn } from '../../ui/grid/grid-types'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { SidePanel } from '../../ui/panes/side-panel'
import { SplitPane } from '../../ui/panes/split-pane'
import { formatCount } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { HandoverDetail } from './handover-detail'
import classes from './handovers.module.css'

/** What was handed over to accounting. `id`: the handover shown next to the list. */
export function HandoversScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('handovers')
  if (!membership || !may('handovers.list', { role: membership.role })) return <EmptyState sentence={t('noOrganization')} />
  const { organization, role } = membership
  return <HandoverList key={organization.id} id={id} organizationId={organization.id} role={role} />
}

function HandoverList({ id, organizationId, role }: { id: string | undefined; organizationId: number; role: Role }) {
  const { t } = useTranslation('handovers')
  const [, navigate] = useLocation()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useHandovers(organizationId)
  const rows = data ?? []
  const columns = useHandoverColumns()
  const [focusIndex, setFocusIndex] = useRowFocus(
    'handovers',
    rows.length,
    rows.findIndex((row) => row.id === id),
  )
  const open = (to: string) => navigate(to === '' ? '/handovers' : `/handovers/${to}`, { replace: id !== undefined })
  const shown = rows.find((row) => row.id === id)
  const canHandOver = may('handovers.write', { role })
  if (error && !data) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={() => void refetch()} error={error} />
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId="handovers"
        detailLabel={t('detail.title')}
        list={
          <>
            <p className={classes.about}>{t('about')}</p>
            {!data && <SkeletonRows count={8} />}
            {data && rows.length === 0 && (
              <EmptyState
                sentence={t(canHandOver ? 'empty' : 'emptyRead')}
                action={canHandOver ? { label: t('toReview'), run: () => navigate('/review?queue=all') } : undefined}
              />
            )}
            {rows.length > 0 && (
              <VirtualGrid
                gridId="handovers"
                label={t('title')}
                columns={columns}
                rowCount={rows.length}
                getRow={(index) => rows[index]}
                focusIndex={focusIndex}
                onFocusIndex={setFocusIndex}
                onOpen={(index) => open(rows[index]?.id ?? '')}
              />
            )}
            {hasNextPage && (
              <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t('more')}
              </Button>
            )}
          </>
        }
        detail={
          id !== undefined && data ? (
            <SidePanel key={id} title={shown ? titleOf(shown, t) : t('detail.title')} onClose={() => open('')}>
              {shown ? (
                <HandoverDetail key={shown.id} handover={shown} organizationId={organizationId} canHandOver={canHandOver} />
              ) : (
                <p className={classes.quiet}>{t('detail.gone')}</p>
              )}
            </SidePanel>
          ) : null
        }
      />
    </div>
  )
}

function titleOf({ title, file_name, corrects }: Handover, t: TFunction<'handovers'>): string {
  const own = title === null || title === '' ? file_name : title
  return corrects === null ? own : t('correctionOf', { title: own })
}

function useHandoverColumns(): GridColumn<Handover>[] {
  const { t } = useTranslation('handovers')
  const language = usePreferences((state) => state.language)
  return useMemo(
    () => [
      {
        id: 'made',
        header: t('column.made'),
        width: 170,
        fixed: true,
        render: ({ created_at }) => <Instant value={created_at} show="moment" />,
      },
      { id: 'what', header: t('column.what'), width: 260, fill: true, render: (row) => titleOf(row, t) },
      {
        id: 'changed',
        header: t('column.changed'),
        width: 110,
        render: ({ is_changed }) =>
          is_changed && (
            <span className={classes.mark}>
              <RefreshCw size={14} aria-hidden /> {t('changes.mark')}
            </span>
          ),
      },
      { id: 'count', header: t('column.count'), width: 90, align: 'end', render: ({ done }) => formatCount(done, language) },
      { id: 'by', header: t('column.by'), width: 170, yields: 1, render: ({ user }) => user.name },
      { id: 'format', header: t('column.format'), width: 170, yields: 2, render: ({ format }) => t(`exports:formats.${format}`) },
    ],
    [t, language],
  )
}

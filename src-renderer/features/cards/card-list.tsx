import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { PagedRows } from '../../api/pages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { Flag, MaskedNumber, ValidUntil } from './card-parts'
import classes from './cards.module.css'

/** What the list is given. `isMine`: whose cards it shows needs no column. */
export type CardListProps = {
  rows: PagedRows<CorporativeCard>
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (card: CorporativeCard) => void
  onNew: () => void
  isMine: boolean
}

/** Cards by name. */
export function CardList({ rows, focusIndex, onFocusIndex, onOpen, onNew, isMine }: CardListProps) {
  const { t } = useTranslation('cards')
  const columns = useCardColumns(isMine)
  const { count, error, retry, getRow, onRangeChange } = rows
  if (error) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={retry} error={error} />
  if (count === undefined) return <SkeletonRows count={8} />
  if (count === 0)
    return <EmptyState sentence={t(isMine ? 'empty.mine' : 'empty.all')} action={{ label: t('new.open'), run: onNew, keys: 'n' }} />
  return (
    <VirtualGrid
      gridId={isMine ? 'my-cards' : 'cards'}
      label={t('title')}
      columns={columns}
      rowCount={count}
      getRow={getRow}
      focusIndex={focusIndex}
      onFocusIndex={onFocusIndex}
      onOpen={(index) => {
        const row = getRow(index)
        if (row) onOpen(row)
      }}
      onRangeChange={onRangeChange}
    />
  )
}

function useCardColumns(isMine: boolean): GridColumn<CorporativeCard>[] {
  const { t } = useTranslation('cards')
  return useMemo(
    () => [
      { id: 'name', header: t('field.name'), width: 128, fill: true, fixed: true, render: ({ name }) => name },
      { id: 'flag', header: t('field.flag'), width: 172, yields: 1, render: ({ flag }) => <Flag name={flag.name} /> },
      { id: 'number', header: t('field.number'), width: 104, whole: true, render: ({ number }) => <MaskedNumber number={number} /> },
      { id: 'expiration', header: t('field.expiration'), width: 184, whole: true, render: (card) => <ValidUntil card={card} /> },
      isMine
        ? { id: 'organization', header: t('field.organization'), width: 176, minWidth: 96, render: ({ organization }) => organization.name }
        : { id: 'user', header: t('field.user'), width: 176, minWidth: 96, render: ({ user }) => user.name },
      {
        id: 'active',
        header: t('field.active'),
        width: 80,
        whole: true,
        render: ({ active }) => (active ? t('active') : <span className={classes.quiet}>{t('inactive')}</span>),
      },
    ],
    [t, isMine],
  )
}

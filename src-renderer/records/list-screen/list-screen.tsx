import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { OtherList } from '#shared/domain/exports/exported-lists'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import type { GridColumn, GridSort } from '../../ui/grid/grid-types'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SidePanel } from '../../ui/panes/side-panel'
import { SplitPane } from '../../ui/panes/split-pane'
import { ExportAct } from '../export/export-act'
import { ListBar } from './list-bar'
import classes from './list-screen.module.css'

/** A record with a name. */
type Named = { readonly id: number; readonly name: string }

/**
 * What the screen is given. `name`: its address and its texts (`title`, `find`, `count`, `new`, `empty`, `detail.title` …). `id`: the
 * record shown next to the list, or `new`. `exports`: the list that it exports. `arrange`: the rows that a search leaves, in order. `renderDelete` asks first.
 */
export type ListScreenProps<R extends Named> = {
  name: string
  id: string | undefined
  canWrite: boolean
  exports?: OtherList
  all: { data: R[] | undefined; error: Error | null; refetch: () => Promise<unknown> }
  /** What is said of the whole list. */
  notice?: ReactNode
  columns: readonly GridColumn<R>[]
  arrange: (all: readonly R[], search: string, sort: GridSort) => R[]
  renderNew: (onStored: (record: R) => void) => ReactNode
  renderDetail: (record: R, onDelete: () => void) => ReactNode
  renderDelete: (record: R, close: { onDone: () => void; onCancel: () => void }) => ReactNode
}

/** A list of named records, one of which is shown next to it: find, sort, create, open, delete. */
export function ListScreen<R extends Named>(props: ListScreenProps<R>) {
  const { name, id, canWrite, exports, all, notice, columns, arrange, renderNew, renderDetail, renderDelete } = props
  const { data, error, refetch } = all
  const { t } = useTranslation(name)
  const [, navigate] = useLocation()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<GridSort>({ columnId: 'name', direction: 'ascending' })
  const rows = arrange(data ?? [], search, sort)
  const [focusIndex, setFocusIndex] = useRowFocus(
    name,
    rows.length,
    rows.findIndex((record) => String(record.id) === id),
  )
  const [deleting, setDeleting] = useState<R | null>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const shown = data?.find((record) => String(record.id) === id)
  const open = (to: string) => navigate(to === '' ? `/${name}` : `/${name}/${to}`, { replace: id !== undefined })
  const deletable = canWrite ? (id === undefined ? rows[focusIndex] : shown) : undefined
  useShortcuts({ scope: name, title: t('title') }, [
    { id: 'find', keys: '/', label: t('findKey'), run: () => searchRef.current?.focus() },
    ...(canWrite ? [{ id: 'new', keys: 'n', label: t('new'), run: () => open('new') }] : []),
    {
      id: 'delete',
      keys: 'delete',
      label: t('detail.deleteKey'),
      run: () => setDeleting(deletable ?? null),
      when: () => deletable !== undefined,
    },
  ])
  if (error && !data) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={() => void refetch()} error={error} />
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId={name}
        detailLabel={t('detail.title')}
        list={
          <>
            <ListBar
              name={name}
              searchRef={searchRef}
              search={search}
              onSearch={setSearch}
              count={data && rows.length}
              onNew={canWrite ? () => open('new') : undefined}
            >
              {exports && data && <NamedExport of={exports} all={data} found={rows} />}
            </ListBar>
            {notice}
            {!data && <SkeletonRows count={8} />}
            {data?.length === 0 && (
              <EmptyState
                sentence={t(canWrite ? 'empty' : 'emptyRead')}
                action={canWrite ? { label: t('new'), run: () => open('new'), keys: 'n' } : undefined}
              />
            )}
            {data && data.length > 0 && rows.length === 0 && (
              <EmptyState sentence={t('emptyFind')} action={{ label: t('clear'), run: () => setSearch('') }} />
            )}
            {rows.length > 0 && (
              <VirtualGrid
                gridId={name}
                label={t('title')}
                columns={columns}
                rowCount={rows.length}
                getRow={(index) => rows[index]}
                focusIndex={focusIndex}
                onFocusIndex={setFocusIndex}
                onOpen={(index) => open(String(rows[index]?.id ?? ''))}
                sort={sort}
                onSort={setSort}
              />
            )}
          </>
        }
        detail={
          id === 'new' && canWrite ? (
            <SidePanel title={t('new')} onClose={() => open('')}>
              {renderNew((record) => {
                setSearch('')
                open(String(record.id))
              })}
            </SidePanel>
          ) : id !== undefined && data ? (
            <SidePanel key={id} title={shown?.name ?? t('detail.title')} onClose={() => open('')}>
              {shown ? renderDetail(shown, () => setDeleting(shown)) : <p className={classes.quiet}>{t('detail.gone')}</p>}
            </SidePanel>
          ) : null
        }
      />
      {deleting && renderDelete(deleting, { onDone: () => (setDeleting(null), open('')), onCancel: () => setDeleting(null) })}
    </div>
  )
}

/** Exports a list, or what a search found in it. */
export function NamedExport({ of, all, found }: { of: OtherList; all: readonly unknown[]; found: ReadonlyArray<{ readonly id: number }> }) {
  const organizationId = useMembership()?.organization.id ?? null
  const selection = found.length < all.length && found.length > 0 ? { ids: found.map(({ id }) => id), count: found.length } : undefined
  return <ExportAct list={{ of: [of], organizationId, filter: {}, count: all.length, selection }} />
}

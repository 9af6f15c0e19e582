import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { Tag } from '#shared/contract/tags'
import { may } from '#shared/domain/permissions'
import { useMembers } from '../../api/organization-lists'
import { useTags } from '../../api/tags'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn, GridSort } from '../../ui/grid/grid-types'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SidePanel } from '../../ui/panes/side-panel'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { DeleteSheet } from './delete-sheet'
import { TagBar } from './tag-bar'
import { TagDetail } from './tag-detail'
import { TagForm } from './tag-form'
import { findTags, groupsOf, sortTags } from './tag-list'
import classes from './tags.module.css'
import { useUsableText } from './usable-text'

/** The tags of the organization. `id`: the tag shown next to the list, or `new`. */
export function TagsScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('tags')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <TagList key={membership.organization.id} id={id} membership={membership} />
}

type TagListProps = { id: string | undefined; membership: Session['memberships'][number] }

function TagList({ id, membership: { organization, role } }: TagListProps) {
  const { t } = useTranslation('tags')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useTags(organization.id)
  const people = useMembers(organization.id)
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<GridSort>({ columnId: 'name', direction: 'ascending' })
  const rows = sortTags(findTags(data ?? [], search), sort)
  const [focusIndex, setFocusIndex] = useRowFocus(
    rows.length,
    rows.findIndex((tag) => String(tag.id) === id),
  )
  const [deleting, setDeleting] = useState<Tag | null>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const canWrite = may('tags.write', { role })
  const shown = data?.find((tag) => String(tag.id) === id)
  const open = (to: string) => navigate(to === '' ? '/tags' : `/tags/${to}`, { replace: id !== undefined })
  const columns = useTagColumns(people)
  const deletable = canWrite ? (shown ?? rows[focusIndex]) : undefined
  useShortcuts({ scope: 'tags', title: t('title') }, [
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
  if (error && !data)
    return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={() => void refetch()} error={error} />
  const form = { organizationId: organization.id, groups: groupsOf(data ?? []), people }
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId="tags"
        detailLabel={t('detail.title')}
        list={
          <>
            <TagBar
              searchRef={searchRef}
              search={search}
              onSearch={setSearch}
              count={data && rows.length}
              onNew={canWrite ? () => open('new') : undefined}
            />
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
                gridId="tags"
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
              <TagForm
                {...form}
                onStored={(tag) => {
                  setSearch('')
                  open(String(tag.id))
                }}
              />
            </SidePanel>
          ) : id !== undefined && data ? (
            <SidePanel key={id} title={shown?.name ?? t('detail.title')} onClose={() => open('')}>
              {shown ? (
                <TagDetail {...form} tag={shown} role={role} onStored={() => undefined} onDelete={() => setDeleting(shown)} />
              ) : (
                <p className={classes.quiet}>{t('detail.gone')}</p>
              )}
            </SidePanel>
          ) : null
        }
      />
      {deleting && (
        <DeleteSheet
          organizationId={organization.id}
          tag={deleting}
          onDone={() => {
            setDeleting(null)
            open('')
          }}
          onCancel={() => setDeleting(null)}
        />
      )}
    </div>
  )
}

function useTagColumns(people: ReadonlyArray<{ readonly id: number; readonly name: string }>): GridColumn<Tag>[] {
  const { t } = useTranslation('tags')
  const usableText = useUsableText(people)
  return useMemo(
    () => [
      { id: 'name', header: t('column.name'), width: 160, fill: true, fixed: true, isSortable: true, render: ({ name }) => name },
      {
        id: 'group',
        header: t('column.group'),
        width: 200,
        isSortable: true,
        render: ({ group }) => group ?? <span className={classes.quiet}>–</span>,
      },
      { id: 'usable', header: t('column.usable'), width: 200, render: (tag) => usableText(tag) },
    ],
    [t, usableText],
  )
}

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { Tag } from '#shared/contract/tags'
import { may } from '#shared/domain/permissions'
import { useMembers } from '../../api/organization-lists'
import { useTags } from '../../api/tags'
import { ListScreen } from '../../records/list-screen/list-screen'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { DeleteSheet } from './delete-sheet'
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
  const all = useTags(organization.id)
  const people = useMembers(organization.id)
  const form = { organizationId: organization.id, groups: groupsOf(all.data ?? []), people }
  return (
    <ListScreen
      name="tags"
      exports="tags"
      id={id}
      canWrite={may('tags.write', { role })}
      all={all}
      columns={useTagColumns(people)}
      arrange={(tags, search, sort) => sortTags(findTags(tags, search), sort)}
      renderNew={(onStored) => <TagForm {...form} onStored={onStored} />}
      renderDetail={(tag, onDelete) => <TagDetail {...form} tag={tag} role={role} onStored={() => undefined} onDelete={onDelete} />}
      renderDelete={(tag, close) => <DeleteSheet organizationId={organization.id} tag={tag} {...close} />}
    />
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

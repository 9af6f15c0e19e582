import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#shared/contract/memberships'
import type { GridColumn, GridSort } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { emailOf, nameOf, pictureOf } from './team-people'
import classes from './team.module.css'

const avatarPx = 20

/** The members as a table. `rows` in the order of `sort`. */
export type TeamGridProps = {
  rows: readonly Membership[]
  ownUserId: number
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (member: Membership) => void
  sort: GridSort
  onSort: (sort: GridSort) => void
}

/** The members of an organization, a row for each. */
export function TeamGrid({ rows, ownUserId, focusIndex, onFocusIndex, onOpen, sort, onSort }: TeamGridProps) {
  const { t } = useTranslation('team')
  return (
    <VirtualGrid
      gridId="team"
      label={t('title')}
      columns={useTeamColumns(ownUserId)}
      rowCount={rows.length}
      getRow={(index) => rows[index]}
      focusIndex={focusIndex}
      onFocusIndex={onFocusIndex}
      onOpen={(index) => {
        const member = rows[index]
        if (member) onOpen(member)
      }}
      sort={sort}
      onSort={onSort}
    />
  )
}

function useTeamColumns(ownUserId: number): GridColumn<Membership>[] {
  const { t } = useTranslation('team')
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        width: 160,
        fill: true,
        fixed: true,
        isSortable: true,
        render: (member) => (
          <span className={classes.person}>
            <PersonAvatar name={nameOf(member)} src={pictureOf(member)} sizePx={avatarPx} />
            <span className={classes.personName}>{nameOf(member)}</span>
            {member.user.id === ownUserId && <span className={classes.quiet}>({t('you')})</span>}
          </span>
        ),
      },
      {
        id: 'email',
        header: t('column.email'),
        width: 288,
        minWidth: 160,
        isSortable: true,
        render: (member) => emailOf(member) && <span title={emailOf(member)}>{emailOf(member)}</span>,
      },
      { id: 'role', header: t('column.role'), width: 120, isSortable: true, render: ({ role }) => t(`role.${role}`) },
      {
        id: 'since',
        header: t('column.since'),
        width: 104,
        whole: true,
        isSortable: true,
        render: ({ created_at }) => <Instant value={created_at} />,
      },
    ],
    [t, ownUserId],
  )
}

/** The order of the table: by name until a header is pressed. */
export function useTeamSort(): [GridSort, (sort: GridSort) => void] {
  return useState<GridSort>({ columnId: 'name', direction: 'ascending' })
}

import { UserPlus, Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { Membership } from '#shared/contract/memberships'
import { may } from '#shared/domain/permissions'
import { roles } from '#shared/domain/roles'
import { useSession } from '../../api/session'
import { useTeam } from '../../api/team'
import { ExportAct } from '../../records/export/export-act'
import { ListBar } from '../../records/list-screen/list-bar'
import { useMembership } from '../../state/membership'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SidePanel } from '../../ui/panes/side-panel'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { EraseSheet } from './erase-sheet'
import { InvitationList } from './invitation-list'
import { InviteForm } from './invite-form'
import { MemberPanel } from './member-panel'
import { TeamGrid, useTeamSort } from './team-grid'
import { canRemove, findMembers, nameOf, rolesFor, sortMembers } from './team-people'
import classes from './team.module.css'
import { type TeamActs, useTeamActs } from './use-team-acts'
import { ActionIcon, Menu } from '@mantine/core'

/** The people of the organization. `id`: the user shown next to the list, or `invite`. */
export function TeamScreen({ id }: { id: string | undefined }) {
  const { data: session } = useSession()
  const membership = useMembership()
  const { t } = useTranslation('team')
  if (!session) return <SkeletonRows count={12} />
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <Team key={membership.organization.id} id={id} userId={session.user.id} membership={membership} />
}

type TeamProps = { id: string | undefined; userId: number; membership: Session['memberships'][number] }

function Team({ id, userId, membership: { organization, role: ownRole } }: TeamProps) {
  const { t } = useTranslation('team')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useTeam(organization.id)
  const acts = useTeamActs(organization, () => navigate('/'))
  const [search, setSearch] = useState('')
  const [sort, setSort] = useTeamSort()
  const rows = sortMembers(findMembers(data ?? [], search), sort)
  const [focusIndex, setFocusIndex] = useRowFocus(
    'team',
    rows.length,
    rows.findIndex(({ user }) => String(user.id) === id),
  )
  const canInvite = may('members.invite', { role: ownRole })
  const shown = data?.find(({ user }) => String(user.id) === id)
  const open = (to: string) => navigate(to === '' ? '/team' : `/team/${to}`, { replace: id !== undefined })
  const searchRef = useRef<HTMLInputElement>(null)
  const own = { role: ownRole, userId }
  useMemberKeys({ member: id === undefined ? rows[focusIndex] : shown, own, acts })
  useShortcuts({ scope: 'team', title: t('title') }, [
    { id: 'find', keys: '/', label: t('findKey'), run: () => searchRef.current?.focus() },
    ...(canInvite ? [{ id: 'invite', keys: 'n', label: t('invite.open'), run: () => open('invite') }] : []),
  ])
  if (error && !data) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={() => void refetch()} error={error} />
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId="team"
        detailLabel={t('member.title')}
        list={
          <>
            <ListBar
              name="team"
              searchRef={searchRef}
              search={search}
              onSearch={setSearch}
              count={data && rows.length}
              onNew={canInvite ? () => open('invite') : undefined}
              newWords={{ label: t('invite.open'), Icon: UserPlus }}
            >
              {data && <TeamExport organizationId={organization.id} all={data} found={rows} />}
              <LeaveMenu organizationName={organization.name} onLeave={() => acts.ask({ kind: 'leave' })} />
            </ListBar>
            {canInvite && <InvitationList organizationId={organization.id} ownRole={ownRole} />}
            {!data && <SkeletonRows count={8} />}
            {data && rows.length === 0 && <EmptyState sentence={t('empty')} action={{ label: t('clear'), run: () => setSearch('') }} />}
            {rows.length > 0 && (
              <TeamGrid
                rows={rows}
                ownUserId={userId}
                focusIndex={focusIndex}
                onFocusIndex={setFocusIndex}
                onOpen={({ user }) => open(String(user.id))}
                sort={sort}
                onSort={setSort}
              />
            )}
          </>
        }
        detail={
          id === 'invite' && canInvite ? (
            <SidePanel title={t('invite.title')} onClose={() => open('')}>
              <InviteForm organizationId={organization.id} ownRole={ownRole} />
            </SidePanel>
          ) : id !== undefined && data ? (
            <SidePanel key={id} title={t('member.title')} onClose={() => open('')}>
              {shown ? (
                <MemberPanel
                  member={shown}
                  own={own}
                  onRole={acts.changeRole}
                  onRemove={(member) => acts.ask({ kind: 'remove', member })}
                  onErase={(member) => acts.ask({ kind: 'erase', member })}
                />
              ) : (
                <p className={classes.quiet}>{t('member.gone')}</p>
              )}
            </SidePanel>
          ) : null
        }
      />
      <Question acts={acts} organizationName={organization.name} onDone={() => open('')} />
    </div>
  )
}

function TeamExport({ organizationId, all, found }: { organizationId: number; all: readonly Membership[]; found: readonly Membership[] }) {
  const user_id_in = found.map(({ user }) => user.id)
  const filter = found.length < all.length ? { user_id_in } : {}
  return <ExportAct list={{ of: ['memberships'], organizationId, filter, count: found.length }} />
}

/** What the keyboard does with a member: a role by its number, and removing. */
function useMemberKeys({
  member,
  own,
  acts,
}: {
  member: Membership | undefined
  own: { role: Session['memberships'][number]['role']; userId: number }
  acts: TeamActs
}): void {
  const { t } = useTranslation('team')
  const grantable = member ? rolesFor(own.role, member) : []
  useShortcuts({ scope: 'team-member', title: t('member.title') }, [
    ...roles.map((role, index) => ({
      id: `role-${role}`,
      keys: String(index + 1),
      label: t('member.setRole', { role: t(`role.${role}`) }),
      run: () => {
        if (member && member.role !== role) acts.changeRole(member, role)
      },
      when: () => grantable.includes(role),
    })),
    {
      id: 'remove',
      keys: 'delete',
      label: t('member.removeKey'),
      run: () => {
        if (member) acts.ask({ kind: 'remove', member })
      },
      when: () => member !== undefined && canRemove(own.role, member, own.userId),
    },
  ])
}

function Question({ acts, organizationName, onDone }: { acts: TeamActs; organizationName: string; onDone: () => void }) {
  const { t } = useTranslation('team')
  const { question } = acts
  if (question.kind === 'none') return null
  if (question.kind === 'erase')
    return (
      <EraseSheet
        name={nameOf(question.member)}
        onCancel={() => acts.ask({ kind: 'none' })}
        onConfirm={() => {
          acts.confirm()
          onDone()
        }}
      />
    )
  const names = { organization: organizationName, name: question.kind === 'remove' ? nameOf(question.member) : '' }
  const isLeaving = question.kind === 'leave'
  return (
    <ConfirmSheet
      title={t(isLeaving ? 'leave.title' : 'member.removeTitle', names)}
      confirmLabel={t(isLeaving ? 'leave.confirm' : 'member.remove')}
      isDanger
      onCancel={() => acts.ask({ kind: 'none' })}
      onConfirm={() => {
        acts.confirm()
        if (!isLeaving) onDone()
      }}
    >
      <p className={classes.quiet}>{t(isLeaving ? 'leave.text' : 'member.removeText', names)}</p>
    </ConfirmSheet>
  )
}

/** What is done with the team as a whole: leaving it. */
function LeaveMenu({ organizationName, onLeave }: { organizationName: string; onLeave: () => void }) {
  const { t } = useTranslation('team')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('leave.more')} title={t('leave.more')}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onLeave}>{t('leave.open', { organization: organizationName })}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

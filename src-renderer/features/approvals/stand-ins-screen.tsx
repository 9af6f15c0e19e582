import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { StandInRepresentation } from '#shared/contract/organization-records/stand-ins'
import { may } from '#shared/domain/permissions'
import { useMembers } from '../../api/organization-lists'
import { useSession } from '../../api/session'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import { ListScreen } from '../../records/list-screen/list-screen'
import { dayOf } from '../../state/date-input'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { now } from '../../ui/values/clock'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { Instant } from '../../ui/values/instant'
import { useStandIns, useStandInWrite } from '../../records/approvals'
import classes from './approvals.module.css'
import { StandInForm, lastDayOf } from './stand-in-form'

/** Who stands in for whom in the organization. `id`: the one shown next to the list, or `new`. */
export function StandInsScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('stand-ins')
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <StandInList key={membership.organization.id} id={id} membership={membership} />
}

type StandInListProps = { id: string | undefined; membership: Session['memberships'][number] }

/** The list has names; what identifies one is who is away. */
const searchedOf = ({ name, user, delegate }: StandInRepresentation) => `${user.name} ${delegate.name} ${name}`

function StandInList({ id, membership: { organization, role } }: StandInListProps) {
  const all = useStandIns(organization.id)
  const { data: session } = useSession()
  const { t } = useTranslation('stand-ins')
  const people = useMembers(organization.id)
  const write = useStandInWrite(organization.id)
  const canWrite = may('stand_ins.write', { role })
  const own = may('stand_ins.create_for_others', { role }) ? undefined : session?.user.id
  const form = { organizationId: organization.id, people, own }
  return (
    <ListScreen
      name="stand-ins"
      exports="stand_ins"
      id={id}
      canWrite={canWrite}
      all={all}
      columns={useStandInColumns()}
      arrange={(standIns, search) =>
        standIns.filter((one) => containsEveryWord(searchedOf(one), search)).toSorted((a, b) => b.starts_at.localeCompare(a.starts_at))
      }
      renderNew={(onStored) => <StandInForm {...form} onStored={onStored} />}
      renderDetail={(standIn, onDelete) =>
        canWrite && (own === undefined || own === standIn.user.id) ? (
          <StandInForm key={standIn.id} {...form} standIn={standIn} onStored={() => undefined} onDelete={onDelete} />
        ) : (
          <StandInFacts standIn={standIn} />
        )
      }
      renderDelete={(standIn, close) => (
        <DeleteRecord name="stand-ins" record={{ ...standIn, name: standIn.delegate.name }} write={write} {...close}>
          <p className={classes.quiet}>{t('deleteText')}</p>
        </DeleteRecord>
      )}
    />
  )
}

function useStandInColumns(): GridColumn<StandInRepresentation>[] {
  const { t } = useTranslation('stand-ins')
  const timezone = usePreferences((state) => state.timezone)
  return useMemo(
    () => [
      { id: 'user', header: t('column.user'), width: 180, fill: true, fixed: true, render: ({ user }) => user.name },
      { id: 'delegate', header: t('column.delegate'), width: 180, render: ({ delegate }) => delegate.name },
      {
        id: 'from',
        header: t('column.from'),
        width: 120,
        whole: true,
        render: ({ starts_at }) => <Instant value={`${dayOf(new Date(starts_at), timezone)}T00:00:00Z`} />,
      },
      {
        id: 'until',
        header: t('column.until'),
        width: 150,
        whole: true,
        render: ({ starts_at, ends_at }) => (
          <>
            <Instant value={`${lastDayOf(ends_at, timezone)}T00:00:00Z`} />
            {isNow({ starts_at, ends_at }) && ` · ${t('now')}`}
          </>
        ),
      },
      { id: 'name', header: t('column.name'), width: 160, yields: 1, render: ({ name }) => name },
    ],
    [t, timezone],
  )
}

function isNow({ starts_at, ends_at }: Pick<StandInRepresentation, 'starts_at' | 'ends_at'>): boolean {
  const at = now().toISOString()
  return starts_at <= at && at < ends_at
}

function StandInFacts({ standIn }: { standIn: StandInRepresentation }) {
  const { t } = useTranslation('stand-ins')
  const timezone = usePreferences((state) => state.timezone)
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('column.user')}</dt>
        <dd>{standIn.user.name}</dd>
        <dt>{t('column.delegate')}</dt>
        <dd>{standIn.delegate.name}</dd>
        <dt>{t('column.until')}</dt>
        <dd>
          <Instant value={`${lastDayOf(standIn.ends_at, timezone)}T00:00:00Z`} />
        </dd>
        <dt>{t('column.name')}</dt>
        <dd>{standIn.name}</dd>
      </dl>
      <p className={classes.quiet}>{t('detail.readOnly')}</p>
    </>
  )
}

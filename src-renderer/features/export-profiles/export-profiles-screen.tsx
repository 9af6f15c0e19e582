import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import { isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { may } from '#shared/domain/permissions'
import { useExportProfiles, useExportProfileWrite } from '../../records/export-profiles'
import { DeleteRecord } from '../../records/list-screen/delete-record'
import { ListScreen } from '../../records/list-screen/list-screen'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'
import { ProfileForm } from './profile-form'
import { writeProfileFile } from './profile-values'
import classes from './export-profiles.module.css'

/** The organization's own file formats. `id`: the profile shown next to the list, or `new`. */
export function ExportProfilesScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  const { t } = useTranslation('export-profiles')
  if (!membership || !may('export_profiles.list', { role: membership.role })) return <EmptyState sentence={t('noOrganization')} />
  return <ProfileList key={membership.organization.id} id={id} membership={membership} />
}

type ProfileListProps = { id: string | undefined; membership: Session['memberships'][number] }

function ProfileList({ id, membership: { organization, role } }: ProfileListProps) {
  const { t } = useTranslation('export-profiles')
  const all = useExportProfiles(organization.id)
  const write = useExportProfileWrite(organization.id)
  const canWrite = may('export_profiles.write', { role })
  return (
    <ListScreen
      name="export-profiles"
      id={id}
      canWrite={canWrite}
      all={all}
      columns={useProfileColumns()}
      arrange={(profiles, search) =>
        profiles.filter(({ name }) => containsEveryWord(name, search)).toSorted((a, b) => a.name.localeCompare(b.name))
      }
      renderNew={(onStored) => <ProfileForm organizationId={organization.id} onStored={onStored} />}
      renderDetail={(profile, onDelete) => (
        <>
          {canWrite && (
            <ProfileForm
              key={profile.id}
              organizationId={organization.id}
              profile={profile}
              onStored={() => undefined}
              onDelete={onDelete}
            />
          )}
          <Button component="a" variant="subtle" href={asFile(profile)} download={`${profile.name}.json`}>
            {t('detail.asJson')}
          </Button>
          {!canWrite && <p className={classes.quiet}>{t('detail.readOnly')}</p>}
        </>
      )}
      renderDelete={(profile, close) => (
        <DeleteRecord name="export-profiles" record={profile} write={write} {...close}>
          <p className={classes.quiet}>{t('deleteText')}</p>
        </DeleteRecord>
      )}
    />
  )
}

/** A profile as the address of a JSON file. */
const asFile = (profile: ExportProfileRepresentation) =>
  `data:application/json;charset=utf-8,${encodeURIComponent(writeProfileFile(profile))}`

function useProfileColumns(): GridColumn<ExportProfileRepresentation>[] {
  const { t } = useTranslation('export-profiles')
  return useMemo(
    () => [
      { id: 'name', header: t('column.name'), width: 240, fill: true, fixed: true, render: ({ name }) => name },
      {
        id: 'columns',
        header: t('column.columns'),
        width: 360,
        yields: 1,
        render: ({ layout: text }) => {
          const layout = parseLayout(text)
          if (!layout) return ''
          return isDatevLayout(layout) ? t('choice.kind.datev') : layout.columns.map(({ name }) => name).join(', ')
        },
      },
    ],
    [t],
  )
}

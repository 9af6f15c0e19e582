import { useTranslation } from 'react-i18next'
import { may } from '#shared/domain/permissions'
import { useSession } from '../../api/session'
import { useFrame } from '../../state/frame'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { ChooseFile } from './choose-file'
import { ImportPage } from './import-page'

/** Importing expenses from a file. `id`: the file that is shown. */
export function ImportScreen({ id }: { id: string | undefined }) {
  const { t } = useTranslation('imports')
  const { data: session } = useSession()
  const membership = useMembership()
  const { sync } = useFrame()
  if (!session) return <SkeletonRows count={8} />
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  if (!may('expenses.import', membership)) return <EmptyState sentence={t('analystsOnly')} />
  if (sync?.remote) return <OnReplica url={sync.remote.url} />
  const { organization } = membership
  if (organization.expired) return <EmptyState sentence={t('expired')} />
  if (id === undefined) return <ChooseFile key={organization.id} organizationId={organization.id} />
  return <ImportPage key={id} importKey={{ organization_id: organization.id, id }} />
}

function OnReplica({ url }: { url: string }) {
  const { t } = useTranslation('imports')
  const { host } = new URL(url)
  return (
    <EmptyState
      sentence={t('onReplica', { host })}
      action={{ label: t('openRemote', { host }), run: () => window.open(url, '_blank', 'noopener') }}
    />
  )
}

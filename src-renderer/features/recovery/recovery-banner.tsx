import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import { useAcknowledgeRecovery, useRecoveries } from '../../api/recoveries'
import { useSession } from '../../api/session'
import { notifyFailure } from '../../state/notices'
import { RecoveryNotice } from './recovery-notice'

/** After a start that found something damaged: tells of it until somebody says that they know. */
export function RecoveryBanner() {
  const { t } = useTranslation('recovery')
  const { data: session } = useSession()
  const { data } = useRecoveries(session !== undefined)
  const acknowledge = useAcknowledgeRecovery()
  const [recovery] = data ?? []
  if (!recovery) return null
  const understand = () =>
    acknowledge.mutate(recovery.id, {
      onError: (error) => notifyFailure({ title: t('failed'), message: failureText(error) }),
    })
  return (
    <RecoveryNotice key={recovery.id} recovery={recovery}>
      <Button variant="default" loading={acknowledge.isPending} onClick={understand}>
        {t('understood')}
      </Button>
    </RecoveryNotice>
  )
}

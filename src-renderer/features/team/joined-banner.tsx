import { Button } from '@mantine/core'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JoinNotice } from '#shared/contract/join-notices'
import { failureText } from '../../api/failure-text'
import { useJoinNotices, useReadJoinNotice } from '../../api/join-notices'
import { useSession } from '../../api/session'
import { notifyFailure } from '../../state/notices'
import classes from './team.module.css'
import { useLeave } from './use-leave'

/** Shows a user which organization someone added them to, until they have read it or left. */
export function JoinedBanner() {
  const { data: session } = useSession()
  const { data } = useJoinNotices(session !== undefined)
  const [notice] = data ?? []
  return notice ? <Joined key={notice.id} notice={notice} /> : null
}

function Joined({ notice: { id, organization, added_by, role } }: { notice: JoinNotice }) {
  const { t } = useTranslation('team')
  const [isAsking, setAsking] = useState(false)
  const read = useReadJoinNotice()
  const { leave, isLeaving } = useLeave(organization)
  const names = { organization: organization.name, name: added_by.name, role: t(`role.${role}`) }
  const understand = () =>
    read.mutate(id, { onError: (error) => notifyFailure({ title: t('joined.failed'), message: failureText(error) }) })
  return (
    <section className={classes.joined} role="status" aria-labelledby="joined-title">
      <UserPlus size={18} aria-hidden />
      <div className={classes.joinedText}>
        <h2 id="joined-title" className={classes.joinedTitle}>
          {t(isAsking ? 'leave.title' : 'joined.title', names)}
        </h2>
        <p className={classes.quiet}>{t(isAsking ? 'leave.text' : 'joined.text', names)}</p>
      </div>
      {isAsking ? (
        <div className={classes.joinedActs}>
          <Button variant="default" disabled={isLeaving} onClick={() => setAsking(false)}>
            {t('joined.stay')}
          </Button>
          <Button color="red.9" loading={isLeaving} onClick={leave}>
            {t('leave.confirm')}
          </Button>
        </div>
      ) : (
        <div className={classes.joinedActs}>
          <Button variant="default" disabled={read.isPending} onClick={() => setAsking(true)}>
            {t('leave.open', names)}
          </Button>
          <Button variant="default" loading={read.isPending} onClick={understand}>
            {t('joined.read')}
          </Button>
        </div>
      )}
    </section>
  )
}

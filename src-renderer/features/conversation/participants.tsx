import { Button, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { localUrl } from '../../api/attachments'
import { useLeaveParticipants, useParticipants } from '../../api/comments'
import { failureText } from '../../api/failure-text'
import type { CommentsProps } from '../../records/conversation/conversation'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { notifyDone, notifyFailure } from '../../state/notices'
import classes from './conversation.module.css'

const mostShown = 8

/** Who hears of what happens to the record, and the way out for oneself. */
export function Participants({ followable, viewer, onLeft }: Pick<CommentsProps, 'followable' | 'viewer' | 'onLeft'>) {
  const { t } = useTranslation('conversation')
  const { data: participants = [] } = useParticipants(followable)
  const leave = useLeaveParticipants(followable)
  if (participants.length === 0) return null
  const named = participants.map((user) => ({ ...user, name: `${user.first_name} ${user.last_name}`.trim() }))
  const run = () =>
    leave.mutate(undefined, {
      onSuccess: () => {
        notifyDone(t('participants.left'))
        if (!viewer.keepsSeeing) onLeft()
      },
      onError: (error) => notifyFailure({ title: t('participants.notLeft'), message: failureText(error) }),
    })
  return (
    <div className={classes.participants}>
      <span className={classes.small}>{t('participants.title')}</span>
      <ul className={classes.avatars}>
        {named.slice(0, mostShown).map((user) => {
          const avatar = user.avatar.find(({ style }) => style === 'tiny')
          return (
            <li key={user.uid}>
              <Tooltip label={user.name}>
                <span tabIndex={0} role="img" aria-label={user.name}>
                  <PersonAvatar name={user.name} src={avatar && localUrl(avatar.url)} />
                </span>
              </Tooltip>
            </li>
          )
        })}
      </ul>
      {named.length > mostShown && <span className={`${classes.small} tabular`}>+{named.length - mostShown}</span>}
      <span className={classes.grow} />
      {named.some(({ id }) => id === viewer.user_id) && (
        <Tooltip label={t('participants.leaveHint')} multiline w={240}>
          <Button variant="subtle" color="gray" disabled={leave.isPending} onClick={run}>
            {t('participants.leave')}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}

import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { UserNotification } from '#shared/contract/notifications'
import { markSeen, useInbox } from '../../api/notifications'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useFocusBack } from '../../ui/form/use-focus-back'
import { Instant } from '../../ui/values/instant'
import classes from './inbox.module.css'

/** What concerns the user, newest first. Opening it marks all as seen; what was unseen stays marked until it closes. */
export function InboxSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notifications')
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inbox.title')}
      size="lg"
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Inbox onClose={onClose} />
    </Modal>
  )
}

function Inbox({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notifications')
  const { data, error, refetch } = useInbox({ isSignedIn: true })
  useFocusBack()
  if (data) return <Notifications all={data.user_notifications} hasUnseen={data.unseen_count > 0} onClose={onClose} />
  if (error) return <ErrorState happened={t('inbox.error')} kept={t('nothingChanged')} onRetry={() => void refetch()} error={error} />
  return <SkeletonRows count={6} />
}

/** The list of notifications. Exported for a test. */
export function Notifications({ all, hasUnseen, onClose }: { all: readonly UserNotification[]; hasUnseen: boolean; onClose: () => void }) {
  const { t } = useTranslation('notifications')
  const [lastSeen] = useState(() => Math.max(0, ...all.filter(({ is_seen }) => is_seen).map(({ id }) => id)))
  const newest = all[0]?.id
  useEffect(() => {
    // Without a connection the count stays, and the next opening tries again.
    if (newest !== undefined && hasUnseen) markSeen(newest).catch(() => undefined)
  }, [newest, hasUnseen])
  if (all.length === 0) return <EmptyState sentence={t('inbox.empty')} />
  return (
    <ul className={classes.list}>
      {all.map((one) => (
        <li key={one.id} data-unseen={one.id > lastSeen || undefined}>
          {one.path === null ? (
            <div className={classes.row}>
              <Notification {...one} isUnseen={one.id > lastSeen} />
            </div>
          ) : (
            <Link href={one.path} className={classes.row} onClick={onClose}>
              <Notification {...one} isUnseen={one.id > lastSeen} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Notification({ kind, sentence, title, created_at, isUnseen }: UserNotification & { isUnseen: boolean }) {
  const { t } = useTranslation('notifications')
  return (
    <>
      {isUnseen && <span className="visually-hidden">{t('inbox.unseen')}</span>}
      <span className={classes.sentence}>{sentence ?? t(`inbox.unsaid.${kind}`)}</span>
      <span className={classes.about}>
        {title} <Instant value={created_at} show="moment" />
      </span>
    </>
  )
}

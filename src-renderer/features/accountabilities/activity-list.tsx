import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAccountabilityActivities } from '../../api/accountabilities'
import { localUrl } from '../../api/attachments'
import { failureText } from '../../api/failure-text'
import { ErrorState } from '../../ui/feedback/error-state'
import { Instant } from '../../ui/values/instant'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import classes from './accountabilities.module.css'

/** What happened to an accountability, newest first. */
export function ActivityList({ id }: { id: number }) {
  const { t } = useTranslation('accountabilities')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAccountabilityActivities(id)
  if (!data)
    return error === null ? (
      <SkeletonRows count={3} />
    ) : (
      <ErrorState happened={t('activity.error')} kept={failureText(error)} onRetry={() => void refetch()} />
    )
  return (
    <>
      <ol className={classes.activities} aria-labelledby="accountability-activity">
        {data.pages
          .flatMap(({ activities }) => activities)
          .map(({ uid, user, changes, occurred_at }) => {
            const avatar = user.avatar.find(({ style }) => style === 'tiny')
            return (
              <li key={uid} className={classes.activity}>
                <PersonAvatar name={`${user.first_name} ${user.last_name}`} src={avatar && localUrl(avatar.url)} sizePx={20} />
                <span className={classes.activityText}>{changes}</span>
                <span className={classes.quiet}>
                  <Instant value={occurred_at} show="moment" />
                </span>
              </li>
            )
          })}
      </ol>
      {hasNextPage && (
        <Button variant="subtle" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('activity.earlier')}
        </Button>
      )}
    </>
  )
}

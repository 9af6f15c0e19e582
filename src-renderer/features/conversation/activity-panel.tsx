import { Button } from '@mantine/core'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Activity } from '#shared/contract/activities'
import { useActivities } from '../../api/activities'
import { localUrl } from '../../api/attachments'
import { failureText } from '../../api/failure-text'
import type { ConversationRecord } from '../../records/conversation/conversation'
import { ErrorState } from '../../ui/feedback/error-state'
import { Instant } from '../../ui/values/instant'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { ValueText } from '../../ui/values/value-text'
import { toActivityLines, type ActivityLine } from './activity-lines'
import classes from './conversation.module.css'

/** What happened to the record, newest first: who, when, and each old and new value. */
export function ActivityPanel({ followable }: { followable: ConversationRecord }) {
  const { t } = useTranslation('conversation')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useActivities(followable)
  // What this device has not sent has no number yet: by uid it stands where it happened.
  const activities = data?.pages.flatMap((page) => page.activities).toSorted((a, b) => (a.uid < b.uid ? 1 : -1))
  if (activities === undefined) {
    return error === null ? (
      <SkeletonRows count={6} />
    ) : (
      <ErrorState happened={t('activity.notLoaded')} kept={failureText(error)} onRetry={() => void refetch()} />
    )
  }
  if (activities.length === 0) return <p className={classes.hint}>{t('activity.none')}</p>
  return (
    <>
      <ol className={classes.list} aria-label={t('tabs.activity')}>
        {activities.map((activity) => (
          <ActivityEntry key={activity.uid} activity={activity} currency={followable.currency} />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="subtle" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('activity.earlier')}
        </Button>
      )}
    </>
  )
}

function ActivityEntry({ activity, currency }: { activity: Activity; currency: string }) {
  const { user } = activity
  const name = `${user.first_name} ${user.last_name}`.trim()
  const avatar = user.avatar.find(({ style }) => style === 'tiny')
  // The sentence already contains the comment's text and the attachment's name.
  const lines = activity.source && activity.details.every(({ from }) => from === null) ? [] : toActivityLines(activity.details, currency)
  return (
    <li className={classes.activity}>
      <PersonAvatar name={name} src={avatar && localUrl(avatar.url)} sizePx={20} />
      <div className={classes.commentBody}>
        <div className={classes.activityHead}>
          <span>
            {activity.changes.startsWith(name) || activity.changes.startsWith(user.first_name) ? (
              activity.changes
            ) : (
              <>
                <strong>{name}</strong> · {activity.changes}
              </>
            )}
          </span>
          <span className={classes.small}>
            <Instant value={activity.occurred_at} show="moment" />
          </span>
        </div>
        {lines.length > 0 && (
          <dl className={classes.changes}>
            {lines.map((line) => (
              <ChangeLine key={line.attribute} line={line} />
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

function ChangeLine({ line: { attribute, from, to } }: { line: ActivityLine }) {
  const { t } = useTranslation('conversation')
  const words = { none: t('none'), yes: t('yes'), no: t('no') }
  return (
    <div className={classes.change}>
      <dt>{t([`fields.${attribute}`, `expense:fields.${attribute}`], { defaultValue: attribute })}</dt>
      <dd>
        {from.kind !== 'none' && (
          <>
            <span className={classes.old}>
              <ValueText value={from} words={words} />
            </span>
            <ArrowRight size={12} role="img" aria-label={t('activity.to')} className={classes.arrow} />
          </>
        )}
        <span>
          <ValueText value={to} words={words} />
        </span>
      </dd>
    </div>
  )
}

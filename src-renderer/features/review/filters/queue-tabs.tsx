import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { usePreferences } from '#renderer/state/preferences'
import { formatCount } from '#renderer/ui/values/format'
import { queueSums, type ReviewSummary, shownQueues } from '../list/queue-sums'
import classes from '../review.module.css'
import { formatView, isOfOneStatus, type Queue, type ReviewView } from '#renderer/records/filters/review-view'
import { useTotalsText } from '#renderer/records/expense/deciding/totals-text'

/** The queues that have something, with their live counts; the sum of each on hover. */
export const QueueTabs = memo(function QueueTabs({ view, summary }: { view: ReviewView; summary: ReviewSummary | undefined }) {
  const { t } = useTranslation('review')
  const navRef = useRef<HTMLElement>(null)
  useEffect(() => {
    void navRef.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    // Counts make the tabs wider when they come.
  }, [view.queue, summary])
  return (
    <nav ref={navRef} className={classes.tabs} aria-label={t('queue.label')}>
      {shownQueues(summary, view.queue).map((queue) => (
        <QueueTab key={queue} queue={queue} view={view} summary={summary} />
      ))}
    </nav>
  )
})

function QueueTab({ queue, view, summary }: { queue: Queue; view: ReviewView; summary: ReviewSummary | undefined }) {
  const { t } = useTranslation(['review', 'status'])
  const language = usePreferences((state) => state.language)
  const totalsText = useTotalsText()
  const sums = summary && queueSums(summary, queue)
  return (
    <Link
      href={`/review?${formatView({ ...view, queue })}`}
      className={classes.tab}
      aria-current={queue === view.queue ? 'page' : undefined}
      title={sums && sums.count > 0 ? totalsText(sums.totals, sums.claimed) : undefined}
    >
      {isOfOneStatus(queue) ? t(`status:${queue}`) : t(`queue.${queue}`)}
      <span className={classes.tabCount}>{sums ? formatCount(sums.count, language) : ''}</span>
    </Link>
  )
}

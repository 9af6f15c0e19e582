import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ExpenseSummary } from '#shared/contract/expenses'
import { may } from '#shared/domain/permissions'
import { useSession } from '#renderer/api/session'
import { useRole } from '#renderer/state/membership'
import { isSelected } from '#renderer/state/review-selection'
import { AboveFullView } from '#renderer/ui/panes/above-full-view'
import { later } from '#renderer/ui/panes/later'
import { BatchSheet } from '#renderer/records/expense/deciding/batch-sheet'
import planClasses from '#renderer/records/expense/deciding/plan.module.css'
import { EmptyState } from '#renderer/ui/feedback/empty-state'
import { ErrorState } from '#renderer/ui/feedback/error-state'
import { ProgressBar } from '#renderer/ui/feedback/progress-bar'
import { SkeletonRows } from '#renderer/ui/feedback/skeleton-rows'
import { useIsNarrow } from '#renderer/ui/grid/use-is-narrow'
import { VirtualGrid } from '#renderer/ui/grid/virtual-grid'
import type { BulkState } from '../bulk/bulk-sheet'
import { ActSheet } from '../deciding/act-sheet'
import type { ReviewAction } from '../deciding/review-actions'
import { useProgress } from '#renderer/records/expense/deciding/runs'
import { targetOf } from '#renderer/records/expense/deciding/decision'
import { reviewColumns } from './columns'
import { FullActs } from '../deciding/full-acts'
import { GroupList } from '../filters/group-list'
import { firstView, groupTerm, type ReviewView } from '#renderer/records/filters/review-view'
import type { RecentReasons } from '../deciding/recent-reasons'
import { putTerm } from '#renderer/records/filters/filter-terms'
import { queueSums, type ReviewSummary } from './queue-sums'
import classes from '../review.module.css'
import { nextFlagged } from './next-row'
import { RowNote, UnsentBar } from './row-note'
import { useExpenseStore } from '#renderer/records/expense/expense-store'
import { SelectionBar } from './selection-bar'
import type { BatchWork } from '../deciding/use-batches'
import type { ReviewFocus } from './use-review-focus'
import type { SelectedExpenses } from './use-review-selection'
import type { Asking, ReviewWork } from '../deciding/use-review-work'
import type { Rows } from './use-rows'

const BulkSheet = later(async () => (await import('../bulk/bulk-sheet')).BulkSheet)

type ReviewListProps = {
  view: ReviewView
  rows: Rows
  focus: ReviewFocus
  selected: SelectedExpenses
  summary: ReviewSummary | undefined
  isCompact: boolean
  isDetailOpen: boolean
  isGrouped: boolean
  groups: ExpenseSummary | undefined
  work: ReviewWork
  actions: readonly ReviewAction[]
  reasons: RecentReasons
  onShow: (change: Partial<ReviewView>) => void
  onVisible: (first: number, last: number) => void
  onOpen: (index: number) => void
  bulk: BulkState
}

/** The list, or its groups, with its foot: the selection, a question, or progress. */
export function ReviewList(props: ReviewListProps) {
  const { work, actions, rows, focus, selected, reasons } = props
  const { asking } = work
  return (
    <div className={classes.list}>
      <div className={classes.stage}>
        <ListBody {...props} />
        {asking.kind === 'none' && <FullActs focus={focus} rowCount={rows.snapshot.count ?? 0} actions={actions} onAction={work.perform} />}
        {asking.kind === 'ask' && (
          <AboveFullView>
            <ActSheet
              ask={asking.ask}
              record={recordOf(asking.work)}
              planned={asking.action ? undefined : asking.planned}
              reasons={reasons}
              onAct={work.answer}
              onCancel={work.cancel}
            />
          </AboveFullView>
        )}
        {props.bulk.isOpen && selected.count > 0 && (
          <BulkSheet selected={selected} filter={props.bulk.filter} onClose={() => props.bulk.open(false)} />
        )}
        {asking.kind === 'confirm' && <ReviewBatchSheet asking={asking} work={work} />}
      </div>
      <ListFoot {...props} />
    </div>
  )
}

/** How far a run of many writes is; else the selection, and what is unsent. A run draws nothing else again with each slice. */
function ListFoot(props: ReviewListProps) {
  const { work, actions, focus, selected, summary, view, isCompact } = props
  const { t } = useTranslation('review')
  const progress = useProgress((state) => state.progress)
  const matching = summary && queueSums(summary, view.queue).count
  return (
    <>
      {progress && (
        <div className={classes.foot}>
          <div data-grow>
            <ProgressBar label={t('progress.label')} done={progress.done} total={progress.total} onStop={progress.stop} />
          </div>
        </div>
      )}
      {!props.isDetailOpen && <RowNote uid={focus.target?.uid} hasFindings />}
      {!progress && <UnsentBar onRetry={work.retry} />}
      {!progress && selected.count > 0 && (
        <SelectionBar
          count={selected.count}
          totals={selected.totals}
          claimed={selected.claimed}
          matching={selected.isAll || matching === undefined || selected.count >= matching ? undefined : matching}
          isCompact={isCompact}
          actions={actions.filter(({ isForOne }) => isForOne !== true)}
          onAction={work.perform}
          onSelectAll={selected.selectAll}
          onEdit={() => props.bulk.open(true)}
          onClear={selected.clear}
        />
      )}
    </>
  )
}

/** What a reason that is not sent yet is kept under: the one expense, or that it was for several. */
function recordOf({ expenses }: BatchWork): string {
  const [only] = expenses === 'matching' || expenses.length > 1 ? [] : expenses
  return only ? String(only.id) : 'several'
}

function ReviewBatchSheet({ asking, work }: { asking: Extract<Asking, { kind: 'confirm' }>; work: ReviewWork }) {
  const { t } = useTranslation('review')
  const { act, work: asked, planned } = asking
  const status = targetOf(act)
  return (
    <BatchSheet
      planned={planned}
      will={(count) => t(`will.${status}`, { count })}
      confirm={(count) => t(`confirm.${status}`, { count })}
      onConfirm={() => work.answer(act)}
      onCancel={work.cancel}
    >
      {asked.filter !== undefined && <p className={planClasses.text}>{t('plan.cleanOnly')}</p>}
    </BatchSheet>
  )
}

/** The height of a row of two lines. */
const twoLinesPx = 46

function ListBody({
  view,
  rows,
  focus,
  selected,
  summary,
  isGrouped,
  groups,
  isCompact,
  isDetailOpen,
  onShow,
  onVisible,
  onOpen,
}: ReviewListProps) {
  const { t } = useTranslation(['review', 'ui'])
  const { t: tReview } = useTranslation('review')
  const { queue } = view
  // A card has its own lines.
  const hasTwoLines = !useIsNarrow() && isCompact
  const columns = useMemo(() => reviewColumns(tReview, { queue, hasTwoLines, isDetailOpen }), [tReview, queue, hasTwoLines, isDetailOpen])
  const { count, error } = rows.snapshot
  if (isGrouped && view.group !== null) {
    const group = view.group
    if (!groups) return <SkeletonRows count={12} />
    if (groups.groups.length === 0) return <NothingHere view={view} summary={summary} onShow={onShow} />
    return (
      <GroupList
        groups={groups.groups}
        label={t(`review:group.by.${group}`)}
        none={t(`review:group.none.${group}`)}
        onLeave={() => onShow({ group: null })}
        onChoose={({ key }) => onShow({ terms: putTerm(view.terms, groupTerm(group, key)) })}
      />
    )
  }
  if (count === undefined && error !== null) {
    return <ErrorState happened={t('review:error.happened')} kept={t('review:error.kept')} onRetry={rows.refresh} error={error} />
  }
  if (count === undefined) return <SkeletonRows count={16} />
  if (count === 0) return <NothingHere view={view} summary={summary} onShow={onShow} />
  const step = async (by: 1 | -1) => {
    const next = view.walksFlagged ? await nextFlagged(rows, focus.index, by) : Math.max(0, Math.min(count - 1, focus.index + by))
    if (next !== undefined) focus.moveTo(next)
  }
  return (
    <VirtualGrid
      gridId="review"
      label={t('review:list.label')}
      columns={columns}
      rowPx={hasTwoLines ? twoLinesPx : undefined}
      rowCount={count}
      getRow={focus.getRow}
      subscribe={useExpenseStore.subscribe}
      focusIndex={focus.index}
      onFocusIndex={focus.moveTo}
      onOpen={onOpen}
      onStep={(by) => void step(by)}
      sort={view.sort}
      onSort={(sort) => onShow({ sort })}
      onRangeChange={onVisible}
      selection={{
        isSelected: ({ expense }) => isSelected(selected.selection, expense.uid),
        extent: selected.extent,
        onSelect: selected.onSelect,
      }}
    />
  )
}

type Nothing = Pick<ReviewListProps, 'view' | 'summary' | 'onShow'>

/** An empty list says why, and offers the one thing to do. */
function NothingHere({ view, summary, onShow }: Nothing) {
  const { t } = useTranslation(['review', 'status', 'team'])
  const { data: session } = useSession()
  const isNarrowed = view.terms.length > 0 || view.search !== ''
  if (session?.memberships.length === 0) return <EmptyState sentence={t('team:noOrganization')} />
  if (isNarrowed)
    return (
      <EmptyState
        sentence={t('review:empty.narrowed')}
        action={{ label: t('review:empty.widen'), run: () => onShow({ terms: [], search: '' }) }}
      />
    )
  if (view.queue === 'clean' || view.queue === 'flagged')
    return (
      <EmptyState
        sentence={t(`review:empty.${view.queue}`)}
        action={{ label: t('review:empty.showAll'), run: () => onShow({ queue: 'all' }) }}
      />
    )
  if (view.queue === 'all' || (summary && queueSums(summary, 'all').count === 0)) return <FirstSteps />
  const sentence =
    view.queue === firstView.queue
      ? t('review:empty.first')
      : t('review:empty.queue', { status: t(`status:${view.queue}`).toLocaleLowerCase() })
  return <EmptyState sentence={sentence} action={{ label: t('review:empty.showAll'), run: () => onShow({ queue: 'all' }) }} />
}

/** Where an organization without expenses begins, as far as the user's role goes. */
function FirstSteps() {
  const { t } = useTranslation('review')
  const [, navigate] = useLocation()
  const role = useRole()
  return (
    <EmptyState
      sentence={t('empty.all')}
      action={{ label: t('empty.record'), run: () => navigate('/capture') }}
      others={[
        ...(may('expenses.import', { role }) ? [{ label: t('empty.import'), run: () => navigate('/import') }] : []),
        ...(may('members.invite', { role }) ? [{ label: t('empty.invite'), run: () => navigate('/team/invite') }] : []),
      ]}
    />
  )
}

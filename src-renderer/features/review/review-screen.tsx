import { useMediaQuery, useViewportSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session'
import type { DetailSlot } from '../../records/expense/detail-slot'
import type { ExpenseFilter } from '../../api/expenses'
import type { BulkState } from './bulk/bulk-sheet'
import { SplitPane } from '../../ui/panes/split-pane'
import { keepDecisionsOf } from './deciding/kept-decisions'
import { actionsFor } from './deciding/review-actions'
import { FilterBar } from '../../records/filters/filter-bar'
import { useReviewCaller } from './review-caller'
import { needOf, nextRowInNeed } from './list/next-row'
import { QueueTabs } from './filters/queue-tabs'
import { ReviewList } from './list/review-list'
import { ReviewTools } from './review-tools'
import { RowNote } from './list/row-note'
import classes from './review.module.css'
import { useRecentReasons } from './deciding/recent-reasons'
import { useListArrival } from './list/use-list-arrival'
import { useOpenDetail } from './use-open-detail'
import { toCleanFilter } from '../../records/filters/review-view'
import { useExportableList } from './list/use-exportable-list'
import { useReviewAddress } from './filters/use-review-address'
import { useReviewData } from './use-review-data'
import { useReviewFocus } from './list/use-review-focus'
import { useReviewKeys } from './use-review-keys'
import { useReviewSelection } from './list/use-review-selection'
import { useReviewWork } from './deciding/use-review-work'

function useKeptDecisions(): void {
  const user_uid = useSession().data?.user.uid
  useEffect(() => {
    if (user_uid !== undefined) keepDecisionsOf(user_uid)
  }, [user_uid])
}

/** The sheet that edits the selected expenses; focus goes back to the list when it closes. */
function useBulkSheet(filter: ExpenseFilter, focusList: () => void): BulkState {
  const [isOpen, setOpen] = useState(false)
  const open = (willOpen: boolean) => {
    setOpen(willOpen)
    if (!willOpen) focusList()
  }
  return { isOpen, filter, open }
}

/** The most that a detail makes use of. */
const widestDetailPx = 760

/** How wide the detail is until someone makes it wider or narrower: a receipt of 380 px next to its facts at 1440 px, and rows that can be read at 1280 px. */
function detailWidthPx(windowWidthPx: number): number {
  return Math.min(widestDetailPx, Math.round(0.75 * windowWidthPx) - 388)
}

/** The review screen: queues, filters, the list, and next to it the detail that the app passes in. `id`: the expense that the address opens. */
export function ReviewScreen({ id, Detail }: { id: string | undefined; Detail: DetailSlot }) {
  const { t } = useTranslation('review')
  const rootRef = useRef<HTMLDivElement>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const caller = useReviewCaller()
  useKeptDecisions()
  const { width: windowWidthPx } = useViewportSize()
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const { view, show, open } = useReviewAddress()
  const { openId, command, ...detail } = useOpenDetail(id, open)
  const [visible, setVisible] = useState({ first: 0, last: 0 })
  const [isMenuOpen, setMenuOpen] = useState(false)
  const reasons = useRecentReasons(caller.organizationId)
  const { filter, rows, summary, names, isGrouped, groups } = useReviewData(view, caller.organizationId)
  const focus = useReviewFocus(rows, { openId, onFollow: detail.follow })
  const selected = useReviewSelection({ rows, view, filterKey: JSON.stringify(filter), summary, visible })
  const focusList = () => rootRef.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  const work = useReviewWork({
    rows,
    filter,
    clean: toCleanFilter(view, caller.organizationId),
    caller,
    selected,
    focus,
    onReason: reasons.use,
    onActed: () => focus.moveTo(nextRowInNeed(focus.index, rows.snapshot.count ?? 0, (index) => needOf(focus.getRow(index), view))),
  })
  const bulk = useBulkSheet(filter, focusList)
  const exported = useExportableList({ view, filter, rows, selected, names, organizationId: caller.organizationId })
  const closeDetail = () => {
    open(null, { isReplacing: true })
    focusList()
  }
  const openUid = focus.target?.id === openId ? focus.target?.uid : undefined
  const actions = actionsFor(caller.relation)
  useReviewKeys({
    t,
    actions,
    work,
    focus,
    selected,
    rows,
    view,
    summary,
    onClose: openId === null ? undefined : closeDetail,
    onShow: (change, options) => (change.walksFlagged === undefined ? changeView : show)(change, options),
    onMenu: () => setMenuOpen(true),
    onBulk: () => bulk.open(true),
    onSearch: () => searchRef.current?.focus(),
    onCommand: (kind) => {
      if (focus.target) detail.tell(focus.target.id, kind)
    },
  })
  useListArrival({ count: rows.snapshot.count, areGroupsRead: isGrouped ? groups !== undefined : null, focusList })
  const changeView: typeof show = (change, options) => {
    focus.reset()
    show(change, options)
  }
  return (
    <div ref={rootRef} className={classes.screen} data-detail={openId !== null || undefined}>
      <QueueTabs view={view} summary={summary} />
      <FilterBar
        view={view}
        names={names}
        isMenuOpen={isMenuOpen}
        onMenu={setMenuOpen}
        onShow={changeView}
        onLeave={focusList}
        searchRef={searchRef}
      >
        <ReviewTools view={view} rows={rows} summary={summary} exported={exported} onShow={changeView} />
      </FilterBar>
      <div className={classes.body}>
        <SplitPane
          paneId="review"
          defaultWidthPx={detailWidthPx(windowWidthPx)}
          detailLabel={t('detail.label')}
          detail={
            openId === null ? undefined : (
              <Detail expenseId={openId} command={command} onClose={closeDetail} notice={<RowNote uid={openUid} />} />
            )
          }
          list={
            <ReviewList
              isCompact={openId !== null || isNarrow}
              isDetailOpen={openId !== null}
              view={view}
              rows={rows}
              focus={focus}
              selected={selected}
              summary={summary}
              groups={groups}
              isGrouped={isGrouped}
              work={work}
              actions={actions}
              reasons={reasons}
              bulk={bulk}
              onShow={changeView}
              onVisible={(first, last) => {
                setVisible({ first, last })
                rows.source.want(first, last)
              }}
              onOpen={(index) => {
                const row = rows.isOther ? undefined : focus.getRow(index)
                if (row) {
                  focus.moveTo(index)
                  detail.show(row.expense.id)
                }
              }}
            />
          }
        />
      </div>
    </div>
  )
}

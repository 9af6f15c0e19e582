import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReplicaList, ReplicaOperation, ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { useOperations } from '../../api/replica'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridSelect } from '../../ui/grid/grid-types'
import { SidePanel } from '../../ui/panes/side-panel'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { actsForAll } from './answer'
import { DecisionFoot } from './decision-foot'
import { useDecisionWork, useUndecided } from './held-decisions'
import { extentOf, select } from '../../ui/grid/grid-selection'
import { OperationDetail } from './operation-detail'
import { OperationGrid } from './operation-grid'
import { addressOf } from './operation-words'
import classes from './sync.module.css'
import { useDecisions } from './use-decisions'
import { useOperationKeys } from './use-operation-keys'
import { useSentence } from './use-sentence'

/** One list of operations, and next to it the one that has the focus. */
export function Operations({ list, state }: { list: ReplicaList; state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useOperations(list)
  const operations = useUndecided(data?.operations ?? none)
  if (error && !data)
    return <ErrorState happened={t('list.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  if (operations.length === 0) {
    const isUnsent = list === 'waiting' && state.counts.uploads > 0
    const sentence = isUnsent ? t('list.uploads', { count: state.counts.uploads }) : t(`list.empty.${list}`)
    const toOffers = { label: t('offers.look', { count: state.offered }), run: () => navigate('/sync/offers') }
    return (
      <div className={classes.stage}>
        <EmptyState sentence={sentence} action={list === 'waiting' && state.offered > 0 ? toOffers : undefined} />
        <DecisionFoot selected={none} />
      </div>
    )
  }
  return <Loaded list={list} operations={operations} more={data.count > data.operations.length ? data.count : null} />
}

const none: readonly ReplicaOperation[] = []

/** `more`: how many there are, where not all of them are shown. */
type LoadedProps = { list: ReplicaList; operations: readonly ReplicaOperation[]; more: number | null }

function Loaded({ list, operations, more }: LoadedProps) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(isNarrow !== true)
  const { index, moveTo } = useFocusedOperation(operations)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const sentenceOf = useSentence()
  const { ref, focus } = useGridFocus(true)
  const actOn = useDecisions(list, (back) => setSelectedIds(new Set(back.length > 1 ? back.map(({ op_id }) => op_id) : [])))
  const refusals = useDecisionWork((work) => work.refusals)
  const current = operations[index]
  const selected = operations.filter(({ op_id }) => selectedIds.has(op_id))
  const targets = selected.length > 0 ? selected : operations.slice(index, index + 1)
  const keys = operations.map(({ op_id }) => op_id)
  const onSelect = (act: GridSelect) => setSelectedIds(select(keys, selectedIds, act))
  const onClear = () => setSelectedIds(new Set())
  const address = current && addressOf(current)
  const open = () => {
    if (address) navigate(address)
  }
  const isSelectable = list !== 'waiting'
  useOperationKeys({
    acts: actsForAll(targets),
    isSelectable,
    onClear,
    onAct: (act) => actOn(targets, act),
    onOpenRecord: address ? open : undefined,
    onDetail: () => setOpen(true),
  })
  return (
    <SplitPane
      paneId="sync"
      defaultWidthPx={480}
      detailLabel={t('detail.label')}
      list={
        <>
          <div
            ref={ref}
            className={classes.rows}
            onClick={({ target }) => {
              if (target instanceof Element && isInRow(target)) setOpen(true)
            }}
          >
            {more !== null && <p className={classes.more}>{t('list.more', { shown: operations.length, count: more })}</p>}
            <OperationGrid
              list={list}
              isCompact={isOpen}
              operations={operations}
              focusIndex={index}
              onFocusIndex={moveTo}
              selection={
                isSelectable
                  ? { isSelected: ({ op_id }) => selectedIds.has(op_id), extent: extentOf(keys, selectedIds), onSelect }
                  : undefined
              }
            />
          </div>
          <DecisionFoot selected={selected} onAct={(act) => actOn(selected, act)} onClear={onClear} />
        </>
      }
      detail={
        isOpen && current ? (
          <SidePanel
            title={sentenceOf(current)}
            onClose={() => {
              setOpen(false)
              focus()
            }}
          >
            <OperationDetail
              key={current.op_id}
              operation={current}
              refusal={refusals.get(current.op_id)}
              onAct={(act) => actOn([current], act)}
              onOpenRecord={address ? open : undefined}
            />
          </SidePanel>
        ) : undefined
      }
    />
  )
}

/** Whether a click was on an operation, and not on its check. */
function isInRow(target: Element): boolean {
  return target.closest('[role=row][aria-rowindex]:not([aria-rowindex="1"])') !== null && target.closest('[data-check]') === null
}

/** The operation that keys act on: the same one while it exists, else the one in its place. */
function useFocusedOperation(operations: readonly ReplicaOperation[]) {
  const [focused, setFocused] = useState<{ op_id: string | undefined; index: number }>({ op_id: undefined, index: 0 })
  const known = operations.findIndex(({ op_id }) => op_id === focused.op_id)
  const index = known >= 0 ? known : Math.max(0, Math.min(focused.index, operations.length - 1))
  const moveTo = (at: number) => {
    const to = Math.max(0, Math.min(at, operations.length - 1))
    setFocused({ op_id: operations[to]?.op_id, index: to })
  }
  if (known >= 0 && known !== focused.index) setFocused({ op_id: focused.op_id, index: known })
  return { index, moveTo }
}

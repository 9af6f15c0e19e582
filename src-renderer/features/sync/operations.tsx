import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReplicaList, ReplicaOperation, ReplicaState } from '#shared/contract/replica'
import { failureText } from '../../api/failure-text'
import { useOperations } from '../../api/replica'
import { ConfirmSheet } from '../../ui/confirm-sheet'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { SidePanel } from '../../ui/side-panel'
import { SkeletonRows } from '../../ui/skeleton-rows'
import { SplitPane } from '../../ui/split-pane'
import { useGridFocus } from '../../ui/use-grid-focus'
import { OperationDetail } from './operation-detail'
import { OperationGrid } from './operation-grid'
import { addressOf } from './operation-words'
import classes from './sync.module.css'
import { useDecisions } from './use-decisions'
import { useOperationKeys } from './use-operation-keys'
import { useSentence } from './use-sentence'

/** One list of operations, and beside it the one that has the focus. */
export function Operations({ list, state }: { list: ReplicaList; state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useOperations(list)
  if (error && !data)
    return <ErrorState happened={t('list.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  if (data.operations.length === 0) {
    const isUnsent = list === 'waiting' && state.counts.uploads > 0
    const sentence = isUnsent ? t('list.uploads', { count: state.counts.uploads }) : t(`list.empty.${list}`)
    const toOffers = { label: t('offers.look', { count: state.offered }), run: () => navigate('/sync/offers') }
    return <EmptyState sentence={sentence} action={list === 'waiting' && state.offered > 0 ? toOffers : undefined} />
  }
  return <Loaded list={list} operations={data.operations} count={data.count} />
}

type LoadedProps = { list: ReplicaList; operations: readonly ReplicaOperation[]; count: number }

function Loaded({ list, operations, count }: LoadedProps) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(isNarrow !== true)
  const { index, moveTo } = useFocusedOperation(operations)
  const [discarding, setDiscarding] = useState<ReplicaOperation | null>(null)
  const sentenceOf = useSentence()
  const { ref, focus } = useGridFocus(true)
  const decide = useDecisions()
  const current = operations[index]
  const address = current && addressOf(current)
  const actOn = (operation: ReplicaOperation) => decide.actOn(operation, () => setDiscarding(operation))
  const open = () => {
    if (address) navigate(address)
  }
  useOperationKeys({
    current,
    isFree: discarding === null,
    onMove: (by) => moveTo(index + by),
    onAct: (act) => current && actOn(current)(act),
    onOpenRecord: address ? open : undefined,
    onDetail: () => setOpen(true),
  })
  return (
    <>
      <SplitPane
        paneId="sync"
        defaultWidthPx={480}
        detailLabel={t('detail.label')}
        list={
          <div
            ref={ref}
            className={classes.rows}
            onClick={({ target }) => {
              if (target instanceof Element && target.closest('[role=row][aria-rowindex]:not([aria-rowindex="1"])')) setOpen(true)
            }}
          >
            {count > operations.length && <p className={classes.more}>{t('list.more', { shown: operations.length, count })}</p>}
            <OperationGrid list={list} isCompact={isOpen} operations={operations} focusIndex={index} onFocusIndex={moveTo} />
          </div>
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
                isBusy={decide.isBusy}
                refusal={decide.refusal?.op_id === current.op_id ? decide.refusal.text : null}
                onAct={actOn(current)}
                onOpenRecord={address ? open : undefined}
              />
            </SidePanel>
          ) : undefined
        }
      />
      {discarding && (
        <ConfirmSheet
          title={t('discard.title', { what: sentenceOf(discarding) })}
          confirmLabel={t('discard.action')}
          isDanger
          onCancel={() => setDiscarding(null)}
          onConfirm={() => {
            setDiscarding(null)
            decide.run(discarding, 'discard')
          }}
        >
          <p className={classes.quiet}>{t('discard.text')}</p>
        </ConfirmSheet>
      )}
    </>
  )
}

/** The operation that keys act on: the same one while it is there, else what stands in its place. */
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

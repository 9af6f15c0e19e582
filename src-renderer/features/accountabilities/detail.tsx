import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Accountability, AccountabilityLiquidation } from '#shared/contract/accountabilities'
import { type AccountabilityStatus, canChangeExpenses } from '#shared/domain/accountability-status'
import { may } from '#shared/domain/permissions'
import { deleteAccountability, useAccountability, useLiquidation } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { ownWritesDone } from '../../api/own-writes'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { notifyDone, notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import classes from './accountabilities.module.css'
import { ActivityList } from './activity-list'
import { AddPanel } from './add-panel'
import { DetailHead } from './detail-head'
import { EditForm } from './edit-form'
import { InsideReview } from './inside-review'
import { stepsOf } from './moves'
import { useExpenseSet } from './use-expense-set'
import type { Moves } from './use-moves'
import { useRelationTo } from './use-relation'

type DetailProps = { moves: Moves; offerUndo: OfferUndo; onLeave: () => void }

/** One accountability: its expenses with the review inside, its moves, and what happened to it. */
export function AccountabilityDetail({ id, ...props }: DetailProps & { id: number }) {
  const { t } = useTranslation('accountabilities')
  const { data, error, refetch } = useAccountability(id)
  if (data) return <Loaded {...props} accountability={data} />
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('notFound')} action={{ label: t('toBoard'), run: props.onLeave }} />
  if (error) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  return <SkeletonRows count={12} />
}

type Overlay = 'adding' | 'editing' | 'deleting' | null

function Loaded({ accountability, moves, offerUndo, onLeave }: DetailProps & { accountability: Accountability }) {
  const { t } = useTranslation('accountabilities')
  const [overlay, setOverlay] = useState<Overlay>(null)
  const relation = useRelationTo()(accountability)
  const expenseSet = useExpenseSet(accountability, offerUndo)
  const remove = useDelete(accountability)
  const { id } = accountability
  const status = moves.pending.get(id) ?? accountability.status
  const steps = stepsOf({ status }, relation)
  const close = () => setOverlay(null)
  const mayChange = canChangeExpenses({ status }, relation)
  const mayDelete = status !== 'finished' && may('accountabilities.destroy', relation)
  const add = () => setOverlay('adding')
  const [isApproving, setApproving] = useState(false)
  const { data: liquidation, refetch } = useLiquidation(id)
  const move = async (to: AccountabilityStatus) => {
    if (to === 'approved' && hindersApproval(liquidation)) {
      // Approvals may still be on their way: what is left after them comes first, with the acts that remove it.
      await ownWritesDone()
      if (hindersApproval((await refetch()).data)) return setApproving(true)
    }
    moves.move(accountability, to)
  }
  const step = (direction: 'forward' | 'back') => {
    const to = steps[direction]
    if (to) void move(to)
  }
  useShortcuts({ scope: 'accountability', title: t('title') }, [
    { id: 'leave', keys: 'escape', label: t('toBoard'), run: onLeave },
    { id: 'forward', keys: 'f', label: t('forward'), run: () => step('forward'), when: () => steps.forward !== undefined },
    { id: 'back', keys: 'b', label: t('back'), run: () => step('back'), when: () => steps.back !== undefined },
    { id: 'edit', keys: 'e', form: 'accountability-edit', label: t('edit'), run: () => setOverlay('editing') },
    { id: 'add', keys: 'n', label: t('add'), run: add, when: () => mayChange },
  ])
  const page = (
    <div className={classes.detail}>
      <DetailHead
        accountability={accountability}
        status={status}
        steps={steps}
        onMove={(to) => void move(to)}
        onEdit={() => setOverlay('editing')}
        onAdd={mayChange ? add : undefined}
        onDelete={mayDelete ? () => setOverlay('deleting') : undefined}
      />
      {overlay !== 'editing' && <KeptEditNotice form="accountability-edit" record={id} onResume={() => setOverlay('editing')} holdsActs />}
      {overlay === 'editing' && <EditForm accountability={accountability} onClose={close} />}
      <InsideReview
        accountability={accountability}
        isNarrow={overlay === 'adding'}
        isApproving={isApproving}
        onApproving={setApproving}
        onApproved={() => moves.move(accountability, 'approved')}
        onAdd={mayChange ? add : undefined}
        onRemove={mayChange ? (expense) => expenseSet.remove(expense.id) : undefined}
      />
      <h2 id="accountability-activity" className={classes.partTitle}>
        {t('activity.title')}
      </h2>
      <ActivityList id={id} />
    </div>
  )
  const addPanel = (
    <AddPanel
      accountability={accountability}
      role={relation.role}
      onClose={close}
      onAdd={(ids) =>
        void expenseSet.add(ids).then((isAdded) => {
          if (isAdded) close()
        })
      }
    />
  )
  return (
    <>
      <SplitPane
        paneId="accountability-add"
        defaultWidthPx={560}
        list={page}
        detail={overlay === 'adding' && mayChange ? addPanel : null}
        detailLabel={t('add')}
      />
      {overlay === 'deleting' && (
        <ConfirmSheet
          title={t('delete.title', { title: accountability.title })}
          confirmLabel={t('delete.confirm')}
          isDanger
          onCancel={close}
          onConfirm={() => {
            close()
            void remove()
          }}
        >
          <p className={classes.quiet}>{t('delete.kept')}</p>
        </ConfirmSheet>
      )}
    </>
  )
}

function hindersApproval(liquidation: AccountabilityLiquidation | undefined): boolean {
  return liquidation !== undefined && liquidation.not_approved_ids.length > 0
}

function useDelete(accountability: Accountability): () => Promise<void> {
  const { t } = useTranslation('accountabilities')
  const [, navigate] = useLocation()
  return async () => {
    try {
      await deleteAccountability(accountability)
      notifyDone(t('delete.done', { title: accountability.title }))
      navigate('/accountabilities', { replace: true })
    } catch (error) {
      notifyFailure({ title: t('delete.failed', { title: accountability.title }), message: failureText(error) })
    }
  }
}

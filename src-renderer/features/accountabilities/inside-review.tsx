import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import type { Expense } from '#shared/contract/expenses'
import { isApprovedOrSettled } from '#shared/domain/accountability-status'
import { offeredStatuses } from '#shared/domain/expense-status'
import { useLiquidation, useUnapproved } from '../../api/accountabilities'
import { useSession } from '../../api/session'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { ApproveSheet } from './approve-sheet'
import { canApprove, isClean } from './approvals'
import { ExpenseList } from './expense-list'
import { HinderedSheet } from './hindered-sheet'
import { Hindrance } from './hindrance'
import { useApprovals } from './use-approvals'
import { useRelationTo } from './use-relation'

/** An expense that waits for nothing but its approval. */
const analyzed = { status: 'analyzed', ignore_noncompliant: null } as const

/** The expenses of an accountability and their review: what keeps it from being approved, and approving them. */
export function InsideReview({
  accountability,
  isNarrow,
  isApproving,
  onApproving,
  onApproved,
  onAdd,
  onRemove,
}: {
  accountability: Accountability
  isNarrow: boolean
  /** The whole accountability is to be approved: its obstacles need an answer. */
  isApproving: boolean
  onApproving: (isApproving: boolean) => void
  /** Nothing is in the way any more. */
  onApproved: () => void
  onAdd?: () => void
  onRemove?: (expense: Expense) => void
}) {
  const { t } = useTranslation('accountabilities')
  const { data: session } = useSession()
  const { id, status } = accountability
  const { role } = useRelationTo()(accountability)
  const [isOnly, setOnly] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { asActed, approve } = useApprovals(accountability.uid)
  const { data: liquidation, isPending: isSumming } = useLiquidation(id)
  const { data: read = [], isPending: isReading } = useUnapproved(id)
  const mayApprove = (expense: Expense) => canApprove(expense, { role, is_receiver: expense.receiver.id === session?.user.id })
  const isFinished = status === 'finished'
  const isReviewer = !isFinished && offeredStatuses(analyzed, { role, is_receiver: false }).includes('approved')
  const unapproved = read.filter((expense) => !isApprovedOrSettled(asActed(expense)))
  const clean = unapproved.filter((expense) => isClean(expense) && mayApprove(expense))
  const acting = read.length - unapproved.length
  const count = Math.max(0, (liquidation?.not_approved_ids.length ?? 0) - acting)
  const staying = unapproved.filter((expense) => !clean.includes(expense))
  const isWholeReady = staying.length === 0 && count <= clean.length
  // A sheet that came before what it is about would say something else a moment later, under a key that is being pressed.
  const isAnswering = isApproving && !isSumming && !isReading
  const ask = () => setAsking(clean.length > 0)
  useShortcuts({ scope: 'accountability-review', title: t('title') }, [
    { id: 'approve-clean', keys: 'shift+a', label: t('approve.clean', { count: clean.length }), run: ask, when: () => clean.length > 0 },
  ])
  return (
    <>
      {!isFinished && count > 0 && (
        <Hindrance count={count} unapproved={unapproved} approvable={clean.length} isOnly={isOnly} onOnly={setOnly} onApprove={ask} />
      )}
      <ExpenseList
        key={String(isOnly)}
        id={id}
        isOnly={isOnly && !isFinished && count > 0}
        view={isFinished ? 'paid' : isNarrow ? 'narrow' : 'all'}
        isReviewer={isReviewer}
        asActed={asActed}
        canApprove={mayApprove}
        onApprove={(expense) => void approve([expense])}
        onRemove={onRemove}
        onAdd={onAdd}
      />
      {isAsking && (
        <ApproveSheet
          expenses={clean}
          staying={staying}
          onCancel={() => setAsking(false)}
          onConfirm={(acting) => {
            setAsking(false)
            void approve(acting)
          }}
        />
      )}
      {isAnswering && isWholeReady && (
        <ApproveSheet
          expenses={clean}
          staying={[]}
          isWhole
          onCancel={() => onApproving(false)}
          onConfirm={(acting, isAll) => {
            onApproving(false)
            void approve(acting).then((isDone) => {
              if (isDone && isAll) onApproved()
            })
          }}
        />
      )}
      {isAnswering && !isWholeReady && (
        <HinderedSheet
          count={count}
          expenses={unapproved}
          onCancel={() => onApproving(false)}
          onConfirm={() => {
            onApproving(false)
            setOnly(true)
          }}
        />
      )}
    </>
  )
}

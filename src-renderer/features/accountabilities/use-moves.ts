import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability, AccountabilityLiquidation } from '#shared/contract/accountabilities'
import type { AccountabilityStatus } from '#shared/domain/accountability-status'
import { accountabilityQueue, moveAccountability, readLiquidation, showMoved } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { notifyFailure } from '../../state/notices'
import { forgetActsAbout } from '../../state/undo-stack'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { canReturn } from './moves'
import { useRelationTo } from './use-relation'

/** An accountability about to be finished, and what that will do. */
export type Finishing = { readonly accountability: Accountability; readonly liquidation: AccountabilityLiquidation }

/** Moving accountabilities. */
export type Moves = {
  /** Where those are going that are on their way, by id. */
  readonly pending: ReadonlyMap<number, AccountabilityStatus>
  readonly finishing: Finishing | null
  /** Moves it, after moves that are on their way; before finishing, which cannot be taken back, the sheet is shown. */
  readonly move: (accountability: Accountability, to: AccountabilityStatus) => void
  readonly confirm: () => void
  readonly cancel: () => void
}

/** Writes moves, those of one accountability one after the other; meanwhile each is shown where it is going. */
function useWriteMove() {
  const client = useQueryClient()
  const [pending, setPending] = useState<ReadonlyMap<number, AccountabilityStatus>>(new Map())
  const shownStatus = ({ id, status }: Accountability) => pending.get(id) ?? status
  /** Moves it from where it was shown; undefined when what was asked for before did not lead there. */
  const write = async (seen: Accountability, { from, to }: Record<'from' | 'to', AccountabilityStatus>) => {
    const { id, uid } = seen
    setPending((before) => new Map(before).set(id, to))
    try {
      return await accountabilityQueue.run([uid], async () => {
        const before = accountabilityQueue.latest(seen)
        if (before.status !== from) return undefined
        const after = await moveAccountability(before, to)
        accountabilityQueue.wrote(before, after)
        // Until the board is read again, the next move starts from what this one led to.
        if (accountabilityQueue.waiting(uid) <= 1) showMoved(client, after)
        return after
      })
    } finally {
      void settle(seen)
    }
  }
  const settle = async ({ id, uid }: Accountability) => {
    if (accountabilityQueue.waiting(uid) > 1) return
    await ownWritesShown()
    if (accountabilityQueue.waiting(uid) === 0) setPending((before) => new Map([...before].filter(([known]) => known !== id)))
  }
  return { pending, shownStatus, write }
}

/** Makes moves, says the result of each, and undoes it where that is possible. */
function useMove(offerUndo: OfferUndo) {
  const { t } = useTranslation(['accountabilities', 'ui'])
  const relationTo = useRelationTo()
  const { pending, shownStatus, write } = useWriteMove()
  const fail = (accountability: Accountability, to: AccountabilityStatus, message: string) =>
    notifyFailure({ title: t('notMoved', { title: accountability.title, status: t(`status.${to}`) }), message })
  const run = async (seen: Accountability, to: AccountabilityStatus) => {
    const from = shownStatus(seen)
    const label = t('moved', { title: seen.title, status: t(`status.${to}`) })
    const moving = write(seen, { from, to })
    const isDone = moving.then((after) => after !== undefined)
    const undo = async () => {
      if (!(await write(seen, { from: to, to: from })) && (await isDone)) throw new ApiError(422, t('ui:history.later'))
      return undefined
    }
    const canUndo = canReturn({ from, to }, relationTo(seen))
    offerUndo(label, canUndo ? undo : null, { after: isDone, about: seen.uid })
    try {
      if (!(await moving)) return
      if (to === 'finished') forgetActsAbout(seen.uid)
    } catch (error) {
      const count = await countHindering(error, seen.id)
      fail(seen, to, count > 0 ? t('hindered', { count }) : failureText(error))
    }
  }
  const settled = (seen: Accountability) => {
    const from = shownStatus(seen)
    return accountabilityQueue.run([seen.uid], async () => {
      const now = accountabilityQueue.latest(seen)
      return now.status === from ? now : undefined
    })
  }
  return { pending, settled, run, fail }
}

/** The server lists unapproved expenses by number; here their sum is enough. */
async function countHindering(error: unknown, id: number): Promise<number> {
  if (!(error instanceof ApiError) || error.status !== 422) return 0
  return readLiquidation(id).then(
    ({ not_approved_ids }) => not_approved_ids.length,
    () => 0,
  )
}

/** Moves accountabilities; finishing asks first. */
export function useMoves(offerUndo: OfferUndo): Moves {
  const { t } = useTranslation('accountabilities')
  const { pending, settled, run, fail } = useMove(offerUndo)
  const [finishing, setFinishing] = useState<Finishing | null>(null)
  const ask = async (seen: Accountability) => {
    const accountability = await settled(seen)
    if (!accountability) return
    try {
      const liquidation = await readLiquidation(accountability.id)
      const count = liquidation.not_approved_ids.length
      if (count > 0) fail(accountability, 'finished', t('hindered', { count }))
      else setFinishing({ accountability, liquidation })
    } catch (error) {
      fail(accountability, 'finished', failureText(error))
    }
  }
  return {
    pending,
    finishing,
    move: (accountability, to) => {
      if (to === 'finished') void ask(accountability)
      else void run(accountability, to)
    },
    confirm: () => {
      setFinishing(null)
      if (finishing) void run(finishing.accountability, 'finished')
    },
    cancel: () => setFinishing(null),
  }
}

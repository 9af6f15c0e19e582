import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability, AccountabilityLiquidation } from '#shared/contract/accountabilities'
import type { AccountabilityStatus } from '#shared/domain/accountability-status'
import { accountabilityKeys, moveAccountability, readLiquidation, showMoved } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { expenseKeys } from '../../api/expenses'
import { failureText } from '../../api/failure-text'
import { notifyDone, notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/use-undo'
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

/** What a move led to; undefined where it was refused. */
type Moving = Promise<Accountability | undefined>

/** Makes moves, those of one accountability one after the other; says what came of each, and takes it back where that is possible. */
function useMove(offerUndo: OfferUndo) {
  const { t } = useTranslation('accountabilities')
  const client = useQueryClient()
  const relationTo = useRelationTo()
  const [pending, setPending] = useState<ReadonlyMap<number, AccountabilityStatus>>(new Map())
  const moving = useRef(new Map<number, Moving>())
  const tell = (before: Accountability, after: Accountability) => {
    const message = t('moved', { title: after.title, status: t(`status.${after.status}`) })
    if (canReturn({ from: before.status, to: after.status }, relationTo(after)))
      offerUndo(message, async () => {
        run(after, before.status)
        return ''
      })
    else notifyDone(message)
  }
  const fail = (accountability: Accountability, to: AccountabilityStatus, message: string) =>
    notifyFailure({ title: t('notMoved', { title: accountability.title, status: t(`status.${to}`) }), message })
  const write = async (accountability: Accountability, to: AccountabilityStatus): Moving => {
    try {
      const after = await moveAccountability(accountability, to)
      tell(accountability, after)
      return after
    } catch (error) {
      const count = await countHindering(error, accountability.id)
      fail(accountability, to, count > 0 ? t('hindered', { count }) : failureText(error))
      return undefined
    }
  }
  const settled = (accountability: Accountability): Moving =>
    moving.current.get(accountability.id) ?? Promise.resolve(accountability)
  const run = (accountability: Accountability, to: AccountabilityStatus) => {
    const { id } = accountability
    const move = settled(accountability).then((current) => current && write(current, to))
    moving.current.set(id, move)
    setPending((before) => new Map(before).set(id, to))
    void move.then(async (after) => {
      if (moving.current.get(id) !== move) return
      // Until the board is read anew, the next move goes out from what this one led to.
      if (after) showMoved(client, after)
      else moving.current.delete(id)
      await client.invalidateQueries({ queryKey: accountabilityKeys.all })
      if (moving.current.get(id) === move) moving.current.delete(id)
      if (!moving.current.has(id)) setPending((before) => new Map([...before].filter(([known]) => known !== id)))
      if (to === 'finished') await client.invalidateQueries({ queryKey: expenseKeys.all })
    })
  }
  return { pending, settled, run, fail }
}

/** The server names what is not approved by number; here it is enough to say how much that is. */
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
      else run(accountability, to)
    },
    confirm: () => {
      setFinishing(null)
      if (finishing) run(finishing.accountability, 'finished')
    },
    cancel: () => setFinishing(null),
  }
}

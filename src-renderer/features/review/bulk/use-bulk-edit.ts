import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { ExpenseFilter } from '#renderer/api/expenses'
import { expenseArea } from '#renderer/records/expense/expense-moves'
import { useReasonsText } from '#renderer/records/expense/deciding/reasons-text'
import { type PlanOutcome, reasonOf, writePlans } from '#renderer/records/expense/expense-writes'
import { notifyFailure } from '#renderer/state/notices'
import { offerUndo, relabelAct } from '#renderer/state/undo-stack'
import { now } from '#renderer/ui/values/clock'
import { listMatching } from '../list/list-matching'
import { hearExpenses, setRowStates } from '#renderer/records/expense/expense-store'
import type { SelectedExpenses } from '../list/use-review-selection'
import { type BulkEdit, type EditBody, editOperation, mostEdited } from './bulk-edit'

/** The selected expenses, read where all that match are selected; undefined until they are, `many` where they are too many. */
export function useChosen({
  selected,
  filter,
}: {
  selected: SelectedExpenses
  filter: ExpenseFilter
}): readonly Expense[] | 'many' | undefined {
  const { isAll, named, count } = selected
  const isRead = isAll && count <= mostEdited
  const { data } = useQuery({
    queryKey: ['expenses', 'chosen', filter],
    queryFn: async () => {
      const pages: Expense[][] = []
      for await (const page of listMatching(filter)) pages.push([...page])
      return pages.flat()
    },
    enabled: isRead,
    staleTime: 0,
  })
  if (count > mostEdited) return 'many'
  if (!isAll) return named
  const out = new Set(named.map(({ uid }) => uid))
  return data?.filter(({ uid }) => !out.has(uid))
}

type Write = { readonly seen: Expense; readonly body: EditBody }

/** Writes edits in requests of some hundred each, each with the version that was seen; rows that could not be written say why. */
async function write(uids: readonly string[], edits: () => readonly Write[]): Promise<PlanOutcome[]> {
  const outcomes = await writePlans(uids, () =>
    edits().map(({ seen, body }) => ({ seen, steps: () => [(expense) => editOperation(expense, body)] })),
  )
  hearExpenses(outcomes.flatMap((outcome) => (outcome.expense ? [outcome.expense] : [])))
  setRowStates(
    outcomes.flatMap((outcome) =>
      outcome.kind === 'refused' ? [[outcome.uid, { kind: 'refused', reason: outcome.reason }] as const] : [],
    ),
  )
  return outcomes
}

/** Carries a bulk edit out, and says the result; one undo takes all of it back. */
export function useBulkEdit(): (edits: readonly BulkEdit[]) => Promise<void> {
  const { t } = useTranslation(['review', 'ui'])
  const reasonsText = useReasonsText()
  return async (edits) => {
    const uids = edits.map(({ expense }) => expense.uid)
    let after: ReadonlyMap<string, Expense> = new Map()
    const label = () => t('review:bulk.done', { count: after.size || edits.length })
    const back = () =>
      edits.flatMap(({ expense, back: body }) => {
        const seen = after.get(expense.uid)
        return seen ? [{ seen, body }] : []
      })
    const undo = async () => {
      const undone = (await write(uids, back)).filter(({ kind }) => kind === 'done').length
      if (undone < after.size) throw new Error(t('ui:history.later'))
    }
    let reasons: readonly string[] = []
    const writing = write(uids, () => edits.map(({ expense, body }) => ({ seen: expense, body }))).then((outcomes) => {
      reasons = outcomes.flatMap((outcome) => reasonOf(outcome) ?? [])
      after = new Map(outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [[outcome.uid, outcome.expense] as const] : [])))
      relabelAct(actId, label())
      return after.size > 0
    })
    const actId = offerUndo({ area: expenseArea, label: label(), at: now().toISOString(), undo }, { after: writing })
    await writing
    const left = edits.length - after.size
    if (left > 0) notifyFailure({ title: t('review:bulk.left', { count: left }), message: reasonsText(reasons) })
  }
}

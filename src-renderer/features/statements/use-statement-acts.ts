import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { BatchOperation } from '#shared/contract/batch'
import { supplierOf } from '#shared/domain/statements/lines'
import { failureText } from '../../api/failure-text'
import {
  type StatementLineRepresentation,
  type StatementProposal,
  askHolders,
  listMatchesWith,
  writeTogether,
} from '../../api/statements/statements'
import { notifyDone, notifyFailure } from '../../state/notices'
import { relabelAct } from '../../state/undo-stack'
import { useUndo } from '../../ui/feedback/use-undo'
import { newKey } from '../../ui/values/clock'
import type { LinePart } from './split-sheet'

type Line = StatementLineRepresentation
const stored = z.object({ id: z.number() })
/** Of an operation that was undone because another one of its request failed. */
const undoneStatus = 424

/** What can be done on the screen of statements; each can be undone at once, all matches of one key together. */
export interface StatementActs {
  readonly isRunning: boolean
  readonly accept: (proposals: readonly StatementProposal[]) => void
  readonly dismiss: (line: Line, reason: string) => void
  readonly makeExpense: (line: Line) => void
  /** Makes an expense of each part; the parts come to the line. */
  readonly split: (line: Line, parts: readonly LinePart[]) => void
  /** Asks the holders of a card's lines, or of all, for their receipts. */
  readonly ask: (card_id: number | null) => Promise<void>
}

type Run = (operations: readonly BatchOperation[], options?: { readonly atomic: boolean }) => Promise<Array<number | undefined>>

/** Runs writes and says what failed; returns the ids of what they made, undefined for those that were refused. */
function useRun(): { readonly isRunning: boolean; readonly run: Run } {
  const { t } = useTranslation('statements')
  const [isRunning, setRunning] = useState(false)
  const run: Run = async (operations, { atomic } = { atomic: false }) => {
    setRunning(true)
    try {
      const outcomes = await writeTogether(operations, { newKey, atomic })
      const failed = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.error] : []))
      const cause = failed.find(({ status }) => status !== undoneStatus) ?? failed[0]
      if (cause) notifyFailure({ title: atomic ? t('notDone') : t('notAll', { count: failed.length }), message: failureText(cause) })
      return outcomes.map((outcome) => (outcome.kind === 'done' ? (stored.safeParse(outcome.body).data?.id ?? 0) : undefined))
    } catch (error) {
      notifyFailure({ title: t('notDone'), message: failureText(error) })
      return operations.map(() => undefined)
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, run }
}

/** The operations of an organization's statements. */
function operationsOf(organizationId: number) {
  const home = `/organizations/${organizationId}`
  return {
    patch: (id: number, reason: string | null): BatchOperation => ({
      method: 'PATCH',
      path: `${home}/statement_lines/${id}`,
      body: { reason },
    }),
    match: (statement_line_id: number, expense_id: number): BatchOperation => ({
      ...{ method: 'POST', path: `${home}/statement_matches`, body: { statement_line_id, expense_id } },
    }),
    unmatch: (id: number): BatchOperation => ({ method: 'DELETE', path: `${home}/statement_matches/${id}` }),
    expenseOf: ({ id, amount, currency, occurred_at, name, corporative_card_id, user }: Line, description = name): BatchOperation => ({
      ...{ method: 'POST', path: '/expenses' },
      body: {
        ...{ payer: { id: organizationId, type: 'Organization' }, receiver: { id: user.id, type: 'User' } },
        ...{ amount, currency, occurred_at, description, supplier_name: supplierOf(name), corporative_card_id, statement_line_id: id },
      },
    }),
  }
}

/** An operation, the line that it is about, and what takes it back by the id of what it made. */
interface Step {
  readonly operation: BatchOperation
  readonly line_id: number
  readonly back: (id: number) => BatchOperation
}

/** Carries the acts out. */
export function useStatementActs(organizationId: number): StatementActs {
  const { t } = useTranslation('statements')
  const offerUndo = useUndo({ scope: 'statements-undo', title: t('title') })
  const { isRunning, run } = useRun()
  const { patch, match, unmatch, expenseOf } = operationsOf(organizationId)
  const dismissal = (line_id: number, reason: string): Step => ({
    line_id,
    operation: patch(line_id, reason),
    back: () => patch(line_id, null),
  })
  const act = (words: (count: number) => string, steps: readonly Step[]) => {
    const running = run(steps.map(({ operation }) => operation))
    const undo = async () => {
      const ids = await running
      const backwards = steps.flatMap(({ back }, index) => (ids[index] === undefined ? [] : [back(ids[index])]))
      return (await run(backwards.toReversed())).some((id) => id !== undefined) ? undefined : ''
    }
    const after = running.then((ids) => {
      const done = new Set(steps.flatMap(({ line_id }, index) => (ids[index] === undefined ? [] : [line_id])))
      relabelAct(actId, words(done.size))
      return done.size > 0
    })
    const actId = offerUndo(words(new Set(steps.map(({ line_id }) => line_id)).size), undo, { after })
  }
  const make = (line: Line, text: string, made: readonly BatchOperation[]) => {
    const running = run(made, { atomic: true }).then((ids) => ids.filter((id) => id !== undefined))
    const undo = async () => {
      const ids = await running
      if (ids.length === 0) return ''
      const matches = await listMatchesWith(organizationId, line.id, ids)
      const gone = ids.map((id): BatchOperation => ({ method: 'DELETE', path: `/expenses/${id}` }))
      return (await run([...matches.map(unmatch), ...gone], { atomic: true })).includes(undefined) ? '' : undefined
    }
    offerUndo(text, undo, { after: running.then(({ length }) => length > 0) })
  }
  const ask = async (card_id: number | null) => {
    try {
      const { lines, holders } = await askHolders(organizationId, { card_id, idempotencyKey: newKey() })
      notifyDone(lines === 0 ? t('askedNone') : t('askedFor', { count: lines, holders: t('holders', { count: holders }) }))
    } catch (error) {
      notifyFailure({ title: t('notAsked'), message: failureText(error) })
    }
  }
  return {
    isRunning,
    ask,
    makeExpense: (line) => make(line, t('made', { name: line.name }), [expenseOf(line)]),
    split: (line, parts) =>
      make(
        line,
        t('splitDone', { name: line.name, count: parts.length }),
        parts.map(({ amount, description }) => expenseOf({ ...line, amount }, description || line.name)),
      ),
    accept: (proposals) =>
      act(
        (count) => t('accepted', { count }),
        proposals.flatMap(({ kind, line_ids, claims }) =>
          kind === 'cancelled'
            ? line_ids.map((id) => dismissal(id, t('cancelledReason')))
            : line_ids.flatMap((line_id) => claims.map(({ id }): Step => ({ line_id, operation: match(line_id, id), back: unmatch }))),
        ),
      ),
    dismiss: ({ id, name }, reason) => act(() => t('dismissed', { name }), [dismissal(id, reason)]),
  }
}

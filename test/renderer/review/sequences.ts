import fc from 'fast-check'
import { vi } from 'vitest'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { type Expense, expenseRepresentation } from '#shared/contract/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { offeredStatuses } from '#shared/domain/expense-status'
import { recordExpense } from '#test/support/expenses'
import { type Decision, targetOf } from '#renderer/records/expense/deciding/decision'
import { actOnRows } from '#renderer/records/expense/deciding/act'
import { findRow, hearExpenses, useExpenseStore } from '#renderer/records/expense/expense-store'
import { useUndoStack } from '../../../src-renderer/state/undo-stack'
import { useStatus } from '../../../src-renderer/state/notices'
import { readWords } from '../read-hook'

const realFetch = globalThis.fetch
const words = { done: () => 'done', travelled: () => 'travelled', later: 'later' }

/** What reviewing needs besides the server. */
export const deps = { words }
const manager = { role: 'manager', is_receiver: false } as const

/** The decisions of a reviewer. */
export const decisions = fc.constantFrom<Decision>(
  { kind: 'approve' },
  { kind: 'approve_part', amount: 5, reason: 'only the fare' },
  { kind: 'reject', reason: 'no' },
  { kind: 'ask', reason: 'which?' },
  { kind: 'move', status: 'analyzing' },
  { kind: 'move', status: 'analyzed' },
  { kind: 'tolerate', reason: 'agreed' },
  { kind: 'mark_noncompliant' },
)

/** What a decision about an expense changes. */
export function standing({ status, approved_amount, approved_amount_currency, ignore_noncompliant }: Expense) {
  return { status, approved_amount, approved_amount_currency, ignore_noncompliant }
}

/** Resolves when no act waits any more: undo and redo hand out no promise. */
export async function untilSettled(): Promise<void> {
  await vi.waitUntil(() => ![...useExpenseStore.getState().rows.values()].some(({ state }) => state?.kind === 'saving'), {
    timeout: 60_000,
    interval: 2,
  })
}

/** Another organization in which the manager has no say about the expenses that they record. */
async function startForeign({ app, stranger, manager: { user_id } }: Instance): Promise<number> {
  const { body } = await stranger.api.send<{ id: number }>('POST', '/organizations', { name: 'Other' })
  const writer = { user_id: stranger.user_id, origin: 'cli', request_id: null, if_match: null }
  await app.store.transact(writer, (tx) => insertMembership(tx, { organization_id: body.id, user_id, role: 'member' }))
  return body.id
}

/** Forgets what was done and is shown. `delay`: what the wire does before a request leaves and before its answer arrives. */
function begin(wire: { delay: (what: string) => Promise<void> }): void {
  wire.delay = async () => undefined
  useUndoStack.setState({ done: [], undone: [], refused: [] })
  useExpenseStore.setState({ rows: new Map() })
  useStatus.setState({ done: null, failures: [] })
}

/** A server, and a manager in its browser window who acts on lists of expenses. */
export async function startSequences() {
  await readWords()
  const instance = await startInstance()
  const foreign = await startForeign(instance)
  const wire = { delay: async (_what: string): Promise<void> => undefined }
  const authorization = `Basic ${Buffer.from(`${instance.manager.token}:`).toString('base64')}`
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.startsWith('/')) return realFetch(address, init)
    await wire.delay('request')
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization, 'user-agent': 'tests' }
    const response = await realFetch(`${instance.url}${address}`, { ...init, headers })
    await wire.delay('answer')
    return response
  })
  return {
    instance,
    begin: () => begin(wire),
    delay: (delay: typeof wire.delay) => (wire.delay = delay),
    startList: (count: number, { forbidden = 0, amount = 12.5 } = {}) => startList(instance, { count, foreign, forbidden, amount }),
    end: async () => {
      vi.unstubAllGlobals()
      await instance.remove()
    },
  }
}

/** A server with a manager who acts. */
export type Sequences = Awaited<ReturnType<typeof startSequences>>

/** The list as the reviewer has it: read once, and shown as it is since. `forbidden`: how many, at its end, that the server lets nobody decide. */
async function startList(
  instance: Instance,
  { count, foreign, forbidden, amount }: { count: number; foreign: number; forbidden: number; amount: number },
) {
  const ids: number[] = []
  const payer = { id: foreign, type: 'Organization' }
  for (let index = 0; index < count + forbidden; index += 1) {
    const made =
      index < count ? recordExpense(instance, instance.member, { amount }) : recordExpense(instance, instance.manager, { amount, payer })
    ids.push((await made).id)
  }
  // Each that is recorded may be a repeat of those before, which then say so: the list is read once all are there.
  const read = await Promise.all(
    ids.map(async (id) => expenseRepresentation.parse((await instance.manager.api.get(`/expenses/${id}`)).body)),
  )
  hearExpenses(read)
  const running: Promise<unknown>[] = []
  const shown = (index: number): Expense => {
    const expense = read[index % read.length]
    if (!expense) throw new RangeError(`no row ${index}`)
    return findRow(expense.uid)?.expense ?? expense
  }
  const press = (act: Decision, indexes: readonly number[], times: number): readonly Expense[] => {
    const seen = [...new Set(indexes.map((index) => shown(index)))]
    const able = seen.filter((expense) => offeredStatuses(expense, manager).includes(targetOf(act)))
    for (let turn = 0; turn < times && able.length > 0; turn += 1) running.push(actOnRows(deps, { act, expenses: able }))
    return able
  }
  const now = async () =>
    Promise.all(read.map(async ({ id }) => standing((await instance.manager.api.get<Expense>(`/expenses/${id}`)).body)))
  return { read, shown, press, now, idle: () => Promise.all(running) }
}

import { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { createElement } from 'react'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { expenseRepresentation } from '#shared/contract/expenses'
import { sessionRepresentation } from '#shared/contract/instance/instance'
import { offeredStatuses } from '#shared/domain/expense-status'
import { attach } from '#test/support/attach'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { actionsFor } from '../../../src-renderer/features/review/deciding/review-actions'
import { chosenMembership } from '../../../src-renderer/features/review/review-caller'
import { deleteWithUndo } from '../../../src-renderer/features/expense/pending-deletes'
import { heldTimeMs } from '../../../src-renderer/state/held-acts'
import { useStatus } from '../../../src-renderer/state/notices'
import { undoAct } from '../../../src-renderer/state/undo-stack'
import { planBatch } from '#renderer/records/expense/deciding/batch-plan'
import { PlanText } from '#renderer/records/expense/deciding/plan-text'
import { policiesOf } from '#renderer/records/policies'
import { expenseArea } from '#renderer/records/expense/expense-moves'
import { relationIn, relationTo } from '#renderer/records/expense/relation-to'
import { useTakesBack } from '#renderer/records/expense/taken-back'
import { draw, readHook } from '../read-hook'
import { type Sequences, startSequences } from '../review/sequences'

/** What the page offers a person to do with expenses, and says before it is done: of what a real server says of both. */

let own: Sequences
beforeAll(async () => {
  own = await startSequences()
})
afterAll(() => own.end())
beforeEach(() => own.begin())

async function meet({ api }: Person) {
  const session = sessionRepresentation.parse((await api.get('/session')).body)
  return { membership: chosenMembership(session, own.instance.organization_id), user_id: session.user.id }
}
const read = async (id: number) => expenseRepresentation.parse((await own.instance.admin.api.get(`/expenses/${id}`)).body)

test('once someone else has to approve, one’s own expenses offer no approval, and others do', async () => {
  const { instance } = own
  const [mine, other] = [await recordExpense(instance, instance.manager), await recordExpense(instance, instance.member)]
  const offered = async (id: number) => {
    const { membership, user_id } = await meet(instance.manager)
    const expense = await read(id)
    return offeredStatuses(expense, relationTo(expense, membership, user_id))
  }
  const rule = (separate_approval: boolean) =>
    instance.admin.api.send('PATCH', `/organizations/${instance.organization_id}`, { separate_approval })
  expect(await offered(mine.id)).toContain('approved')
  expect((await rule(true)).status).toBe(200)
  expect(await offered(mine.id)).not.toContain('approved')
  expect(await offered(mine.id)).toContain('rejected')
  expect(await offered(other.id)).toContain('approved')
  await rule(false)
  expect(await offered(mine.id)).toContain('approved')
})

test('what the role may not do is not offered', async () => {
  const offered = async (person: Person) => actionsFor(relationIn((await meet(person)).membership)).map(({ id }) => id)
  expect(await offered(own.instance.analyst)).toContain('ask')
  expect(await offered(own.instance.analyst)).not.toContain('approve')
  expect(await offered(own.instance.manager)).toEqual(expect.arrayContaining(['ask', 'approve']))
  expect(await offered(own.instance.member)).toEqual([])
})

test('a form knows what takes an approval back: what was decided of, and tags that a policy asks about', async () => {
  const client = new QueryClient()
  const { organization_id, manager } = own.instance
  const tag = (await manager.api.send('POST', `/organizations/${organization_id}/tags`, { name: 'Fair' })).body
  const policy = { name: 'Fairs', weight: 'note', condition: 'tag_other', tag_ids: [tag.id] }
  await manager.api.send('POST', `/organizations/${organization_id}/policies`, policy)
  await client.fetchQuery(policiesOf(organization_id))
  client.setQueryData(['organizations', organization_id, 'tags'], [tag])
  const takesBack = readHook(() => useTakesBack(organization_id), client)
  const says = (names: string[], tags: string[] = [], status = 'approved' as const) => takesBack({ status, tags: '' }, { names, tags })
  expect([says(['amount']), says(['occurred_at']), says(['description']), says([])]).toEqual([true, true, false, false])
  expect([says(['tags'], ['fair']), says(['tags'], ['Lunch'])]).toEqual([true, false])
  expect(takesBack({ status: 'awaiting_analysis', tags: '' }, { names: ['amount'], tags: [] })).toBe(false)
})

test('what a closed month leaves out of a batch is said with the sum of the rest, and nothing is offered there', async () => {
  const { instance } = own
  const made: Json[] = []
  for (const [amount, occurred_at] of [
    [10, '2025-03-02'],
    [212, '2025-03-31'],
    [50, '2025-04-01'],
  ])
    made.push(await recordExpense(instance, instance.member, { amount, occurred_at }))
  const seen = await Promise.all(made.map(({ id }) => read(id)))
  await instance.admin.api.send('POST', `/organizations/${instance.organization_id}/closings`, { name: '2025-03' })
  const { membership, user_id } = await meet(instance.manager)
  const offered = seen.map((expense) => offeredStatuses(expense, relationTo(expense, membership, user_id)).length > 0)
  expect(offered).toEqual([false, false, true])
  const words = async (expenses: typeof seen) => {
    const plan = await planBatch({ kind: 'approve' }, [expenses])
    return draw(createElement(PlanText, { planned: { plan, done: 0, total: undefined } })).replaceAll(/<[^>]*>/g, '')
  }
  expect(await words(seen)).toBe('BRL 50.002 are skipped:2 in March 2025, which is closed')
  expect(await words(seen.slice(0, 2))).toContain('None of these expenses can be changed this way.')
})

test('a receipt that goes says that it takes an approval back, does so when its time is over, and can be kept until then', async () => {
  const { instance } = own
  const { id } = await recordExpense(instance, instance.member)
  await attach(instance.member.api, id, 'receipt.png')
  await moveExpense(instance.manager, id, { status: 'approved', approved_amount: 12.5, approved_amount_currency: 'BRL' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const expense = await read(id)
    const remove = () => {
      for (const attachment of expense.attachments) deleteWithUndo(expense, attachment, i18next.getFixedT('en', 'expense'))
    }
    remove()
    expect(undoAct(expenseArea)).toBe(true)
    vi.advanceTimersByTime(heldTimeMs)
    expect(await read(id)).toMatchObject({ status: 'approved', attachments: [{ file_name: 'receipt.png' }] })
    remove()
    await Promise.resolve()
    expect(useStatus.getState().done?.message).toBe('receipt.png deleted: the expense returns to “To review”')
    vi.advanceTimersByTime(heldTimeMs)
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(() => read(id)).toMatchObject({ status: 'awaiting_analysis', attachments: [] })
})

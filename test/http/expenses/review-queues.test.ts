import { beforeAll, expect, test } from 'vitest'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'
import type { Instance, Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

/** The expenses by their descriptions. */
const ids: Record<string, number> = {}
let meals = 0

const instance = await instanceOfFile()
beforeAll(async () => {
  const policies = `/organizations/${instance.organization_id}/policies`
  const write = async (policy: Json): Promise<number> => (await instance.manager.api.send('POST', policies, policy)).body.id
  meals = await write({ name: 'Meals', weight: 'note', condition: 'amount_over', amount: 80, currency: 'BRL' })
  await write({ name: 'Dear', weight: 'note', condition: 'amount_over', amount: 500, currency: 'BRL' })
  await write({ name: 'Who', weight: 'block', condition: 'description_missing' })
  const record = async (name: string, expense: Json) => {
    ids[name] = (await recordExpense(instance, instance.member, { description: name, currency: 'BRL', ...expense })).id
  }
  await record('clean', { amount: 10, occurred_at: '2026-03-01' })
  await record('clean, old', { amount: 20, occurred_at: '2026-01-01' })
  await record('noted', { amount: 100, occurred_at: '2026-03-02' })
  await record('noted twice', { amount: 900, occurred_at: '2026-03-03' })
  await record('blocked', { amount: 30, occurred_at: '2026-02-02', description: null })
  await record('approved', { amount: 5 })
  await record('asked', { amount: 300 })
  await moveExpense(instance.manager, ids.approved ?? 0, { status: 'approved', approved_amount: 5 })
  await moveExpense(instance.manager, ids.asked ?? 0, { status: 'pending', comment: 'What for?' })
  await moveExpense(instance.manager, ids.noted ?? 0, { status: 'analyzing' })
})

async function list(query: string, who: Instance['manager'] = instance.manager): Promise<string[]> {
  const { status, body } = await who.api.get(`/expenses?q[payer_id_eq]=${instance.organization_id}&${query}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.expenses.length)
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  return body.expenses.map(({ id }: Json) => names.get(id))
}

test('clean and flagged are the expenses that wait for a reviewer, by what policies found', async () => {
  expect(await list('q[queue]=clean')).toEqual(['clean', 'clean, old'])
  expect((await list('q[queue]=flagged')).toSorted()).toEqual(['blocked', 'noted', 'noted twice'])
})

test('in review and decided are the expenses of those statuses, with findings or without', async () => {
  expect(await list('q[queue]=in_review')).toEqual(['noted'])
  expect(await list('q[queue]=decided')).toEqual(['approved'])
  expect(await list('q[queue]=decided&q[status_in][]=rejected')).toEqual([])
})

test('the worst, the oldest and the largest come first', async () => {
  expect(await list('q[queue]=flagged&sort=-flag_level,-occurred_at')).toEqual(['blocked', 'noted twice', 'noted'])
  expect(await list('q[queue]=flagged&sort=occurred_at')).toEqual(['blocked', 'noted', 'noted twice'])
  expect(await list('q[queue]=flagged&sort=-amount')).toEqual(['noted twice', 'noted', 'blocked'])
  expect(await list('q[queue]=clean&sort=occurred_at')).toEqual(['clean, old', 'clean'])
})

test('lists are narrowed to findings of a condition or a policy, to no receipt, and to who decided', async () => {
  expect((await list('q[flag_conditions]=amount_over')).toSorted()).toEqual(['asked', 'noted', 'noted twice'])
  expect((await list('q[flag_conditions][]=amount_over&q[flag_conditions][]=description_missing')).length).toBe(4)
  expect((await list('q[flag_conditions]=none')).toSorted()).toEqual(['approved', 'clean', 'clean, old'])
  expect((await list(`q[flag_policy_ids]=${meals}`)).toSorted()).toEqual(['asked', 'noted', 'noted twice'])
  expect(await list(`q[flag_policy_ids][]=${meals}&q[flag_policy_ids][]=${meals + 1}`)).toEqual(['noted twice'])
  expect((await list('q[attachments_count_eq]=0')).length).toBe(7)
  expect(await list('q[attachments_count_gteq]=1')).toEqual([])
  expect(await list('q[responsible_user_id_null]=0')).not.toContain('clean')
})

test('an expense is once in the group of each condition that was found, and those without findings in that of none', async () => {
  const q = { payer_id_eq: instance.organization_id }
  const { groups } = (await getWithBody(instance.url, instance.manager, { path: '/expenses/summary?group_by=flag', body: { q } })).body
  expect(groups.map(({ key, label, count, totals }: Json) => [key, label, count, totals[0].amount])).toEqual([
    [null, null, 3, 35],
    ['amount_over', 'Amount over a limit', 3, 1300],
    ['description_missing', 'No description', 1, 30],
  ])
})

test('a queue holds no more than the caller may see', async () => {
  const other = await recordExpense(instance, instance.analyst, { amount: 15, description: 'Of another person' })
  const { body } = await instance.member.api.get('/expenses?q[queue]=clean')
  expect(body.expenses.map(({ id }: Json) => id)).not.toContain(other.id)
  expect(body.count).toBe(2)
})

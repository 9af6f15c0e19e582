import { expect, test } from 'vitest'
import { type Json, startInstance } from '#test/support/instance'
import { checked } from '#test/support/contract'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'

test('an organization that has expired is read-only: 402 to every write, in both languages', async () => {
  const expired = await startInstance()
  try {
    const { id } = await recordExpense(expired, expired.member)
    const actor = { user_id: expired.admin.user_id, origin: 'test', request_id: null, if_match: null }
    await expired.app.store.transact(actor, async (tx) => {
      await tx.db.updateTable('organizations').set({ expired_at: tx.now }).execute()
    })
    for (const [method, path, body] of [
      ['POST', '/expenses', newExpense(expired)],
      ['PATCH', `/expenses/${id}`, { description: 'x' }],
      ['PUT', `/expenses/${id}/status`, { status: 'analyzing' }],
      ['DELETE', `/expenses/${id}`, undefined],
    ] as const) {
      const response = await expired.manager.api.send(method, path, body)
      expect(response.status).toBe(402)
      expect(response.body.errors.message).toBe('This organization is expired and in read-only mode until this situation have been solved.')
    }
    expect((await expired.member.api.get(`/expenses/${id}`)).status).toBe(200)
  } finally {
    await expired.remove()
  }
})

test('a summary adds up what was approved, in the currency in which it was', async () => {
  const fresh = await startInstance()
  try {
    await recordExpense(fresh, fresh.member, { amount: 9 })
    const part = await recordExpense(fresh, fresh.member, { amount: 2.2 })
    await moveExpense(fresh.manager, part.id, { status: 'approved', approved_amount: 1.1 })
    const abroad = await recordExpense(fresh, fresh.member, { amount: 100, currency: 'USD' })
    await moveExpense(fresh.manager, abroad.id, { status: 'approved', approved_amount: 540.55, approved_amount_currency: 'BRL' })
    const response = await checked(fresh.manager.api).get('/expenses/summary?group_by=receiver&amounts=approved')
    expect(response.body.groups).toMatchObject([{ count: 2, totals: [{ currency: 'BRL', amount: 541.65, count: 2 }] }])
  } finally {
    await fresh.remove()
  }
})

test('a summary counts and adds up by status, receiver and tag, each currency apart', async () => {
  const fresh = await startInstance()
  try {
    await recordExpense(fresh, fresh.member, { amount: 1.1, tags: ['a'] })
    await recordExpense(fresh, fresh.member, { amount: 2.2, tags: ['a', 'b'] })
    await recordExpense(fresh, fresh.analyst, { amount: 5, currency: 'JPY' })
    const by = async (group: string) => (await checked(fresh.manager.api).get(`/expenses/summary?group_by=${group}`)).body.groups
    const [all] = await by('status')
    expect(all).toMatchObject({ key: 'awaiting_analysis', count: 3 })
    expect(all.totals.toSorted((a: Json, b: Json) => a.count - b.count)).toEqual([
      { currency: 'JPY', amount: 5, count: 1 },
      { currency: 'BRL', amount: 3.3, count: 2 },
    ])
    expect((await by('receiver')).map(({ label, count }: Json) => [label, count])).toEqual([
      ['Mel Member', 2],
      ['Ann Analyst', 1],
    ])
    expect(new Map((await by('tag')).map(({ key, count }: Json) => [key, count]))).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
        [null, 1],
      ]),
    )
    const { tags } = (await fresh.manager.api.get(`/organizations/${fresh.organization_id}/tags`)).body
    const a = tags.find(({ name }: Json) => name === 'a')
    expect((await fresh.manager.api.send('DELETE', `/organizations/${fresh.organization_id}/tags/${a.id}`)).status).toBe(204)
    expect(new Map((await by('tag')).map(({ key, count }: Json) => [key, count]))).toEqual(
      new Map([
        ['b', 1],
        [null, 2],
      ]),
    )
  } finally {
    await fresh.remove()
  }
})

test('expenses are summed by supplier, found by it, and told apart from those without one', async () => {
  const fresh = await startInstance()
  try {
    for (const [supplier_name, amount] of [
      ['Padaria Sol', 10.1],
      ['Padaria Sol', 0.2],
      ['Padaria Sol', 1],
      ['Hotel Lua', 5],
      ['Hotel Lua', 6],
      [null, 3],
    ] as const)
      await recordExpense(fresh, fresh.member, { amount, supplier_name, supplier_tax_id: supplier_name && '11.222.333/0001-81' })
    const { groups } = (await checked(fresh.manager.api).get('/expenses/summary?group_by=supplier')).body
    expect(groups).toMatchObject([
      { key: 'Padaria Sol', label: 'Padaria Sol', count: 3, totals: [{ currency: 'BRL', amount: 11.3, count: 3 }] },
      { key: 'Hotel Lua', count: 2 },
      { key: null, label: null, count: 1 },
    ])
    const first = await checked(fresh.manager.api).get('/expenses/summary?group_by=supplier&limit=1')
    expect(first.body.groups).toMatchObject([{ key: 'Padaria Sol' }])
    expect((await fresh.manager.api.get('/expenses/summary?group_by=supplier&limit=0')).status).toBe(422)
    const amountsOf = async (q: string) =>
      (await fresh.manager.api.get(`/expenses?${q}`)).body.expenses.map(({ amount }: Json) => amount).sort((a: number, b: number) => a - b)
    expect(await amountsOf('q[supplier_name_eq]=Hotel Lua')).toEqual([5, 6])
    expect(await amountsOf('q[supplier_name_null]=1')).toEqual([3])
    expect(await amountsOf('q[search]=padaria')).toEqual([0.2, 1, 10.1])
    expect(await amountsOf('q[search]=11.222.333')).toEqual([0.2, 1, 5, 6, 10.1])
  } finally {
    await fresh.remove()
  }
})

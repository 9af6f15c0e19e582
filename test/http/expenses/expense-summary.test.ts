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
      await recordExpense(fresh, fresh.member, { amount, supplier_name, supplier_tax_id: supplier_name && 'n/a' })
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
    expect(await amountsOf('q[supplier]=Hotel Lua')).toEqual([5, 6])
    expect(await amountsOf('q[supplier]=')).toEqual([3])
    expect(await amountsOf('q[supplier][]=&q[supplier][]=Hotel Lua')).toEqual([3, 5, 6])
    expect(await amountsOf('q[search]=padaria')).toEqual([0.2, 1, 10.1])
    expect(await amountsOf('q[search]=n/a')).toEqual([0.2, 1, 5, 6, 10.1])
    expect((await fresh.manager.api.get(`/expenses?q[supplier][a]=b`)).status).toBe(422)
  } finally {
    await fresh.remove()
  }
})

test('a supplier is one group by its tax number, named by the register, else as most expenses write it', async () => {
  const fresh = await startInstance()
  try {
    const bought = [
      ['CANTINA LTDA', '45.723.174/0001-10'],
      ['Cantina', '45723174000110'],
      ['cantina da ana', '45 723 174/0001-10'],
      ['Ana Lima', '529.982.247-25'],
      ['ANA LIMA', '52998224725'],
      ['Ana Lima', '52998224725'],
      ['Zé Silva', '11144477735'],
      ['José Silva', '111.444.777-35'],
      [null, '390.533.447-05'],
      ['Ana Lima', null],
    ] as const
    for (const [at, [supplier_name, supplier_tax_id]] of bought.entries())
      await recordExpense(fresh, fresh.member, { amount: 2 ** at, supplier_name, supplier_tax_id })
    const path = `/organizations/${fresh.organization_id}/suppliers`
    const [{ id }] = (await fresh.manager.api.get(`${path}?q[tax_number_eq]=45723174000110`)).body.suppliers
    await fresh.manager.api.send('PATCH', `${path}/${id}`, { name: 'Cantina da Ana' })
    const expected = [
      { key: '45723174000110', label: 'Cantina da Ana', count: 3, sum: 7 },
      { key: '52998224725', label: 'Ana Lima', count: 3, sum: 56 },
      // Of names that are written equally often, the first in the alphabet.
      { key: '11144477735', label: 'José Silva', count: 2, sum: 192 },
      { key: '39053344705', label: '390.533.447-05', count: 1, sum: 256 },
      { key: 'Ana Lima', label: 'Ana Lima', count: 1, sum: 512 },
    ]
    const ordered = (groups: Json[]) => groups.toSorted((a, b) => a.sum - b.sum)
    const { groups } = (await checked(fresh.manager.api).get('/expenses/summary?group_by=supplier')).body
    const summed = groups.map(({ key, label, count, totals }: Json) => ({ key, label, count, sum: totals[0].amount }))
    expect(ordered(summed)).toEqual(expected)
    const [panel] = (await checked(fresh.member.api).get('/reports/spending?group_by=supplier&by_month=1')).body.panels
    const reported = panel.groups.map(({ key, label, count, amount_minor }: Json) => ({ key, label, count, sum: amount_minor / 100 }))
    expect(ordered(reported)).toEqual(expected)
    for (const { key, count, sum } of expected) {
      const { body } = await checked(fresh.manager.api).get(`/expenses?q[supplier]=${encodeURIComponent(key)}`)
      expect([body.count, body.expenses.reduce((all: number, { amount }: Json) => all + amount, 0)]).toEqual([count, sum])
    }
    // Who is of no organization reads no register.
    expect((await fresh.stranger.api.get('/expenses/summary?group_by=supplier')).body.groups).toEqual([])
  } finally {
    await fresh.remove()
  }
})

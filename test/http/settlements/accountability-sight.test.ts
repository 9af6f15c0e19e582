import { beforeAll, expect, test } from 'vitest'
import { moveAccountability, openAccountability, recordApproved } from '#test/support/accountabilities'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { exportAs } from '#test/support/exports'
import { recordMoney } from '#test/support/settlements'

let own: Json
let unseen: Json
let path: string
const instance = await instanceOfFile()
beforeAll(async () => {
  const { member, analyst } = instance
  own = await recordApproved(instance, member, { amount: 10 })
  unseen = await recordApproved(instance, analyst, { amount: 777 })
  const { id } = await openAccountability(instance, analyst, { expense_ids: [own.id, unseen.id] })
  path = `/accountability/${id}`
})

test('its receiver sees the totals of the expenses that they see, its reviewers those of all', async () => {
  const totalsOf = async (person: 'member' | 'analyst' | 'admin') => {
    const { body: list } = await instance[person].api.get('/accountabilities')
    const { body: shown } = await instance[person].api.get(path)
    expect(list.accountabilities[0].totals).toEqual(shown.totals)
    return shown.totals
  }
  expect(await totalsOf('member')).toEqual([{ currency: 'BRL', amount: 10, count: 1 }])
  for (const person of ['analyst', 'admin'] as const) expect(await totalsOf(person)).toEqual([{ currency: 'BRL', amount: 787, count: 2 }])
})

test('its receiver is not told the ids of expenses that they do not see, and cannot take them out', async () => {
  const idsOf = async (person: 'member' | 'analyst') => (await instance[person].api.get(path)).body.expense_ids
  expect([await idsOf('member'), await idsOf('analyst')]).toEqual([[own.id], [own.id, unseen.id]])
  const later = await recordApproved(instance, instance.member, { amount: 5 })
  for (const expense_ids of [[own.id, later.id], [own.id]])
    expect((await instance.member.api.send('PATCH', path, { expense_ids })).body.expense_ids).toEqual(expense_ids)
  expect(await idsOf('analyst')).toEqual([own.id, unseen.id])
  const { body } = await instance.member.api.get(`${path}/activities`)
  const details = body.activities.flatMap((one: Json) => one.details).filter(({ attribute }: Json) => attribute === 'expense_ids')
  expect(details).toEqual([
    { attribute: 'expense_ids', from: `${own.id}, ${later.id}`, to: `${own.id}` },
    { attribute: 'expense_ids', from: `${own.id}`, to: `${own.id}, ${later.id}` },
    { attribute: 'expense_ids', from: '', to: `${own.id}` },
  ])
  const { bytes } = await exportAs(instance.member, { format: 'json', list: 'activities', organization_id: instance.organization_id })
  expect(bytes.toString()).toContain(`expense_ids:  → ${own.id}`)
  expect(bytes.toString()).not.toMatch(new RegExp(`expense_ids:[^;"]*\\b${unseen.id}\\b`))
})

test('its trail names the expenses that were added and removed, and to its receiver only those that they see', async () => {
  const { member, analyst } = instance
  const [first, hidden] = [
    await recordExpense(instance, member, { description: 'Bus' }),
    await recordExpense(instance, analyst, { description: 'Hotel' }),
  ]
  const { id } = await openAccountability(instance, analyst, { expense_ids: [first.id] })
  const change = async (expense_ids: number[]) => {
    expect((await analyst.api.send('PATCH', `/accountability/${id}`, { expense_ids })).status).toBe(200)
  }
  const recorded = async (values: Record<string, unknown>): Promise<number> => Number((await recordExpense(instance, member, values)).id)
  const taxi = await recorded({ description: 'Taxi' })
  const lunch = await recorded({
    description: 'Sol (45.723.174/0001-10) · Lunch',
    supplier_name: 'Sol',
    supplier_tax_id: '45.723.174/0001-10',
  })
  const bare = await recorded({ description: null })
  await change([first.id, taxi, lunch])
  await change([first.id, bare, hidden.id])
  const said = async (person: 'member' | 'analyst', locale = 'en') => {
    const { body } = await instance[person].api.get(`/accountability/${id}/activities`, { 'accept-language': locale })
    return body.activities.map(({ changes }: Json) => changes.replace(/^.*?: /, ''))
  }
  const removed = `expenses #${taxi} “Taxi” and #${lunch} “Lunch” removed.`
  expect((await said('analyst')).slice(0, 2)).toEqual([
    `expenses #${hidden.id} “Hotel” and #${bare} added and ${removed}`,
    `expenses #${taxi} “Taxi” and #${lunch} “Lunch” added.`,
  ])
  expect((await said('member'))[0]).toBe(`expense #${bare} added and ${removed}`)
  expect((await said('analyst', 'es'))[1]).toBe(`gastos #${taxi} “Taxi” y #${lunch} “Lunch” añadidos.`)
  const many = await Promise.all(Array.from({ length: 11 }, () => recorded({ description: null })))
  await change([first.id, bare, hidden.id, ...many])
  expect((await said('analyst'))[0]).toMatch(/^expenses #(\d+, #){9}\d+ and 1 more added\.$/)
})

test('what finishing would pay others is shown only to reviewers', async () => {
  await moveAccountability(instance.analyst, Number(path.split('/').at(-1)), 'ready_to_review', 'analyzed')
  const receiversOf = async (person: 'member' | 'manager') => {
    const { body } = await instance[person].api.get(`${path}/liquidation`)
    return body.reimbursements.map((group: Json) => [group.receiver.id, group.amount])
  }
  expect(await receiversOf('member')).toEqual([[instance.member.user_id, 10]])
  expect(await receiversOf('manager')).toEqual(
    expect.arrayContaining([
      [instance.member.user_id, 10],
      [instance.analyst.user_id, 777],
    ]),
  )
})

test('its sums say what was approved and what was paid, and what is unpaid once a payment was deleted', async () => {
  const { member, manager } = instance
  const [paid, waiting, advanced] = [
    await recordApproved(instance, member, { amount: 100, approved_amount: 80.01 }),
    await recordExpense(instance, member, { amount: 30 }),
    await recordApproved(instance, member, { amount: 50, liquidate_through_advancement: true }),
  ]
  const { id } = await openAccountability(instance, member, { expense_ids: [paid.id, waiting.id, advanced.id] })
  const sumsOf = async (): Promise<Json> => {
    const { totals, approved_totals, paid_totals } = (await member.api.get(`/accountability/${id}`)).body
    return [totals, approved_totals, paid_totals].map((sums) => sums.map(({ amount, count }: Json) => [amount, count]))
  }
  expect(await sumsOf()).toEqual([[[180, 3]], [[130.01, 2]], []])
  await moveExpense(manager, waiting.id, { status: 'approved', approved_amount: 20 })
  await moveAccountability(manager, id, 'ready_to_review', 'analyzed', 'approved')
  // They were handed 45.50 of the 50.00 that finishing takes from the advance.
  await recordMoney(instance, '/advancements', { amount: 45.5, currency: 'BRL' })
  const plan = async (person: 'member' | 'manager') =>
    (await instance[person].api.get(`/accountability/${id}/liquidation`)).body.advancements
  expect(await plan('manager')).toMatchObject([{ amount: 50, overdraws: 4.5 }])
  await moveAccountability(manager, id, 'finished')
  expect(await sumsOf()).toEqual([[[180, 3]], [[150.01, 3]], [[150.01, 3]]])
  const { reimbursement_id } = (await member.api.get(`/expenses/${paid.id}`)).body
  expect((await manager.api.send('DELETE', `/reimbursements/${reimbursement_id}`)).status).toBe(204)
  expect(await sumsOf()).toEqual([[[180, 3]], [[150.01, 3]], [[50, 1]]])
  const { body } = await manager.api.get('/advancements/balances')
  expect(body.other_balances.objects).toMatchObject([{ amount: -4.5, receiver: { id: member.user_id } }])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveAccountability, openAccountability, recordApproved } from '#test/support/accountabilities'
import { type Instance, type Json, startInstance } from '#test/support/instance'

let instance: Instance
let own: Json
let unseen: Json
let path: string
beforeAll(async () => {
  instance = await startInstance()
  const { member, analyst } = instance
  own = await recordApproved(instance, member, { amount: 10 })
  unseen = await recordApproved(instance, analyst, { amount: 777 })
  const { id } = await openAccountability(instance, analyst, { expense_ids: [own.id, unseen.id] })
  path = `/accountability/${id}`
})
afterAll(() => instance.remove())

test('its receiver sees the totals of the expenses that they see, its reviewers those of all', async () => {
  const totalsOf = async (person: 'member' | 'analyst' | 'admin') => {
    const { body: list } = await instance[person].api.get('/accountabilities')
    const { body: shown } = await instance[person].api.get(path)
    expect(list.accountabilities[0].totals).toEqual(shown.totals)
    return shown.totals
  }
  expect(await totalsOf('member')).toEqual([{ currency: 'BRL', amount: 10, count: 1 }])
  for (const person of ['analyst', 'admin'] as const)
    expect(await totalsOf(person)).toEqual([{ currency: 'BRL', amount: 787, count: 2 }])
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

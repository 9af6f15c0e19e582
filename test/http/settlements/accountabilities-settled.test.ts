import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveAccountability, openAccountability, recordApproved } from '#test/support/accountabilities'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

const putStatus = (id: number, status: string) => instance.manager.api.send('PUT', `/accountability/${id}/status`, { status })
const read = async (path: string): Promise<Json> => (await instance.manager.api.get(path)).body

/** Pays expenses outside of the accountability that they are in. */
const pay = (...expense_ids: number[]) =>
  instance.manager.api.send('POST', '/reimbursements', {
    payer_id: instance.organization_id,
    receiver_id: instance.member.user_id,
    amount: 1,
    currency: 'BRL',
    date: '2026-01-02',
    expense_ids,
  })

test('an expense that was paid outside of its accountability lets it be approved and finished, and is not paid again', async () => {
  const [paid, open] = [await recordApproved(instance, instance.member), await recordApproved(instance, instance.member)]
  const { id } = await openAccountability(instance, instance.manager, { expense_ids: [paid.id, open.id] })
  await moveAccountability(instance.manager, id, 'ready_to_review', 'analyzed')
  expect((await pay(paid.id)).status).toBe(201)
  const { reimbursement_id } = await read(`/expenses/${paid.id}`)
  await moveAccountability(instance.manager, id, 'approved')
  expect(await read(`/accountability/${id}/liquidation`)).toMatchObject({
    reimbursements: [{ amount: open.amount, count: 1 }],
    not_approved_ids: [],
  })
  await moveAccountability(instance.manager, id, 'finished')
  expect((await read(`/expenses/${paid.id}`)).reimbursement_id).toBe(reimbursement_id)
  const after = await read(`/expenses/${open.id}`)
  expect(after.status).toBe('liquidated')
  expect(after.reimbursement_id).not.toBe(reimbursement_id)
})

test('whatever is moved and paid meanwhile, an accountability of approved and settled expenses can be finished, and pays no one twice', async () => {
  const expense = fc.record({ flagged: fc.boolean(), amount: fc.integer({ min: 1, max: 900 }) })
  const step = fc.record({
    at: fc.nat({ max: 3 }),
    what: fc.constantFrom('approve', 'reopen', 'pay', 'unpay', 'settle', 'forward', 'back'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(expense, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 12 }), async (mix, steps) => {
      const ids: number[] = []
      for (const { flagged, amount } of mix)
        ids.push((await recordExpense(instance, instance.member, { amount, liquidate_through_advancement: flagged })).id)
      const { id } = await openAccountability(instance, instance.manager, { expense_ids: ids })
      const way = ['opened', 'ready_to_review', 'analyzed', 'approved']
      const move = async (by: number) => {
        const { status } = await read(`/accountability/${id}`)
        const next = way[way.indexOf(status) + by]
        if (next !== undefined) await putStatus(id, next)
      }
      for (const { at, what } of steps) {
        const own = await read(`/expenses/${ids[at % ids.length] ?? 0}`)
        const put = (body: Json) => instance.manager.api.send('PUT', `/expenses/${own.id}/status`, body)
        if (what === 'approve') await put({ status: 'approved', approved_amount: own.amount })
        else if (what === 'reopen') await put({ status: 'analyzing' })
        else if (what === 'settle') await put({ status: 'liquidated' })
        else if (what === 'pay') await pay(own.id)
        else if (what === 'unpay' && own.reimbursement_id !== null)
          await instance.manager.api.send('DELETE', `/reimbursements/${own.reimbursement_id}`)
        else await move(what === 'forward' ? 1 : -1)
      }
      const before = await Promise.all(ids.map((one) => read(`/expenses/${one}`)))
      for (const { id: one, status, amount } of before)
        if (status !== 'approved' && status !== 'liquidated')
          await moveExpense(instance.manager, one, { status: 'approved', approved_amount: amount })
      while ((await read(`/accountability/${id}`)).status !== 'approved') await move(1)
      const sumOf = async () => {
        const { reimbursements } = await read(`/reimbursements?per_page=100&q[receiver_id_eq]=${instance.member.user_id}`)
        return reimbursements.reduce((sum: number, { amount }: Json) => sum + amount, 0)
      }
      const owed = before.reduce(
        (sum, { status, amount }, index) => sum + (status === 'liquidated' || mix[index]?.flagged === true ? 0 : amount),
        0,
      )
      const paidBefore = await sumOf()
      await moveAccountability(instance.manager, id, 'finished')
      expect((await sumOf()) - paidBefore).toBeCloseTo(owed, 6)
      for (const one of before) {
        const after = await read(`/expenses/${one.id}`)
        expect(after.status).toBe('liquidated')
        if (one.status === 'liquidated') expect(after.reimbursement_id).toBe(one.reimbursement_id)
      }
      for (const reimbursement_id of new Set(
        (await Promise.all(ids.map((one) => read(`/expenses/${one}`)))).map((one) => one.reimbursement_id),
      ))
        if (reimbursement_id !== null) await instance.manager.api.send('DELETE', `/reimbursements/${reimbursement_id}`)
    }),
    { numRuns: inForm(6, 20) },
  )
})

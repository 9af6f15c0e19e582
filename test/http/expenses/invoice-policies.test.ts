import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { goodsInvoice, makeCnpj } from '#test/support/invoices'
import { uploadFile } from '#test/support/upload'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.remove())

const path = () => `/organizations/${instance.organization_id}/policies`
const buyer = makeCnpj('998887770001')

async function makePolicy(attributes: Record<string, unknown>): Promise<void> {
  const { status, body } = await instance.manager.api.send('POST', path(), { weight: 'note', ...attributes })
  if (status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(body)}`)
}

async function attachInvoice(id: number, number: string): Promise<Json> {
  const { api } = instance.member
  const bytes = Buffer.from(goodsInvoice({ number }))
  const file = await uploadFile({ api }, { name: `${number}.xml`, type: 'application/xml', bytes })
  const { status, body } = await api.send('POST', `/expenses/${id}/attachments`, { file })
  expect(status).toBe(201)
  return body
}

test('an e-invoice is compared with its expense when either changes, and when a policy is tried', async () => {
  const { member, manager } = instance
  await makePolicy({ name: 'Total', condition: 'invoice_total' })
  await makePolicy({ name: 'Date', condition: 'invoice_date', days: 2 })
  await makePolicy({ name: 'Buyer', condition: 'invoice_buyer', tax_ids: ['11.222.333/0001-81'] })
  const { id } = await recordExpense(instance, member, { amount: 200, occurred_at: '2026-01-01' })
  const flags = async () => (await member.api.get(`/expenses/${id}`)).body.flags
  expect(await flags()).toEqual([])
  const { id: receipt } = await attachInvoice(id, '77')
  await vi.waitFor(async () =>
    expect(await flags()).toMatchObject([
      { policy: 'Total', value: 210, limit: 200, currency: 'BRL' },
      { policy: 'Date', value: 3, limit: 2 },
      { policy: 'Buyer', value: null },
    ]),
  )

  await member.api.send('PATCH', `/expenses/${id}`, { amount: 210, occurred_at: '2026-01-03' })
  expect((await flags()).map(({ policy }: Json) => policy)).toEqual(['Buyer'])
  const said = JSON.stringify({ name: 'Try', weight: 'note', condition: 'invoice_buyer', tax_ids: ['52998224725', buyer] })
  const tried = JSON.stringify({ name: 'Try', weight: 'note', condition: 'invoice_buyer', tax_ids: ['52998224725'] })
  const replay = async (policy: string) =>
    (
      await manager.api.get(
        `/organizations/${instance.organization_id}/policy_replay?since=2025-01-01&policy=${encodeURIComponent(policy)}`,
      )
    ).body.found
  expect([await replay(said), await replay(tried)]).toEqual([0, 1])

  await member.api.send('DELETE', `/expenses/${id}/attachments/${receipt}`)
  expect(await flags()).toEqual([])
})

test('an amount in another currency than the e-invoice is not compared', async () => {
  const { member } = instance
  const { id } = await recordExpense(instance, member, { amount: 210, currency: 'USD', occurred_at: '2026-01-04' })
  await attachInvoice(id, '78')
  await vi.waitFor(async () =>
    expect((await member.api.get(`/expenses/${id}`)).body.flags).toContainEqual(
      expect.objectContaining({ policy: 'Total', is_checked: false, currency: 'BRL' }),
    ),
  )
})

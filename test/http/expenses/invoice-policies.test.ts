import { expect, test, vi } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { goodsInvoice, makeCnpj } from '#test/support/invoices'
import { signedInvoice } from '#test/support/receipts/signed-invoices'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

const path = () => `/organizations/${instance.organization_id}/policies`
const buyer = makeCnpj('998887770001')

async function makePolicy(attributes: Record<string, unknown>): Promise<void> {
  const { status, body } = await instance.manager.api.send('POST', path(), { weight: 'note', ...attributes })
  if (status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(body)}`)
}

async function attachInvoice(id: number, number: string, xml = goodsInvoice({ number })): Promise<Json> {
  const { api } = instance.member
  const file = await uploadFile({ api }, { name: `${number}.xml`, type: 'application/xml', bytes: Buffer.from(xml) })
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

test('an e-invoice that was changed after it was signed is a finding, without any policy, until it is removed', async () => {
  const { member, analyst } = instance
  const of = async (xml: string) => {
    const { id } = await recordExpense(instance, member, {
      amount: 210,
      currency: 'USD',
      occurred_at: '2026-01-04',
      tags: [],
      description: xml.slice(-40),
    })
    return { id, receipt: await attachInvoice(id, `invoice-${id}`, xml) }
  }
  const found = async (id: number) => {
    const { flags } = (await analyst.api.get(`/expenses/${id}`)).body
    return flags.filter(({ condition }: Json) => condition === 'invoice_altered')
  }
  const whole = await of(signedInvoice({ name: 'Padaria Central' }))
  const { id, receipt } = await of(signedInvoice().replace('<vNF>210.00', '<vNF>910.00'))
  await vi.waitFor(async () => expect(await found(id)).toMatchObject([{ policy: null, weight: 'note', is_checked: true }]))
  expect(await found(whole.id)).toEqual([])
  const listed = (await analyst.api.get('/expenses?q[flag_conditions]=invoice_altered')).body.expenses
  expect(listed.map((one: Json) => one.id)).toEqual([id])
  await member.api.send('DELETE', `/expenses/${id}/attachments/${receipt.id}`)
  expect(await found(id)).toEqual([])
})

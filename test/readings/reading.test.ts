import { afterAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { receiptReadingRoutes } from '#shared/contract/instance/readings'
import { capture } from '#test/support/captures'
import { type Instance, startInstance } from '#test/support/instance'
import { damage, makeCode, paintReceipt } from '#test/support/receipts/coded-receipts'
import { drawReceipt } from '#test/support/receipts/draw-receipt'
import { oneReceipt } from '#test/support/receipts/one-receipt'
import { uploadFile } from '#test/support/upload'

type Readings = z.infer<typeof receiptReadingRoutes.list.response>['readings']
const instance = await startInstance({ settings: { OUTLAY_READ_RECEIPTS: true } })
afterAll(() => instance.close())

const receipt = oneReceipt(4)
const { truth } = receipt

async function readOf(query: string): Promise<Readings> {
  const { api } = instance.member
  const path = `/organizations/${instance.organization_id}/readings?${query}`
  await expect.poll(async () => (await api.get(path)).body.readings[0].state, { timeout: 400_000 }).not.toBe('waiting')
  return (await api.get(path)).body.readings
}

test('a captured picture is read in the background, with the place of each value', { timeout: 500_000 }, async () => {
  const bytes = await drawReceipt(receipt, 'mild', 1)
  const { id } = await capture({ token: instance.member.token, url: instance.url }, { bytes, name: 'receipt.jpg' })
  const [reading] = await readOf(`capture_ids=${id}`)
  const valueOf = (field: string) => reading?.fields.find((one) => one.field === field)
  expect(reading?.state).toBe('read')
  expect(valueOf('total')).toMatchObject({ value: String(truth.total), source: 'pixels', place: { page: 0 } })
  expect(valueOf('date')?.value).toBe(truth.date)
  expect(valueOf('supplier_tax_id')?.value).toBe(truth.supplier_tax_id)
  expect(valueOf('currency')?.value).toBe('BRL')
})

test(
  'an expense that claims more than its receipt says has a finding, which goes once the amount is right',
  { timeout: 500_000 },
  async () => {
    const { api } = instance.member
    const bytes = await drawReceipt(receipt, 'scan', 2)
    const { id } = await capture({ token: instance.member.token, url: instance.url }, { bytes, name: 'receipt.jpg' })
    const payer = { id: instance.organization_id, type: 'Organization' }
    const amount = truth.total / 100 + 100
    const { id: expense_id } = (await api.send('POST', '/expenses', { payer, amount, currency: 'BRL', occurred_at: truth.date })).body
    expect((await api.send('POST', '/captures/attach', { expense_id, capture_ids: [id] })).status).toBe(201)
    const flags = async () => (await instance.admin.api.get(`/expenses/${expense_id}`)).body.flags
    await expect
      .poll(flags, { timeout: 400_000 })
      .toMatchObject([{ condition: 'receipt_total', value: truth.total / 100, limit: amount, currency: 'BRL' }])
    const { readings } = (await instance.analyst.api.get(`/expenses/${expense_id}/readings`)).body
    expect(readings).toMatchObject([{ state: 'read' }])
    expect((await api.send('PATCH', `/expenses/${expense_id}`, { amount: truth.total / 100 })).status).toBe(200)
    expect(await flags()).toEqual([])
  },
)

test('two photos of one receipt make a repeat, whatever is claimed, on both expenses of two people', { timeout: 500_000 }, async () => {
  const bought = oneReceipt(9)
  const payer = { id: instance.organization_id, type: 'Organization' }
  const claim = async ({ token, api }: Pick<Instance['member'], 'token' | 'api'>, { seed, body }: { seed: number; body: object }) => {
    const bytes = await drawReceipt(bought, seed === 1 ? 'scan' : 'mild', seed)
    const { id: capture_id } = await capture({ token, url: instance.url }, { bytes, name: `${seed}.jpg` })
    const { id } = (await api.send('POST', '/expenses', { payer, currency: 'BRL', ...body })).body
    expect((await api.send('POST', '/captures/attach', { expense_id: id, capture_ids: [capture_id] })).status).toBe(201)
    return id
  }
  const first = await claim(instance.member, {
    seed: 1,
    body: { amount: bought.truth.total / 100, occurred_at: bought.truth.date, description: 'Lunch' },
  })
  const second = await claim(instance.manager, { seed: 2, body: { amount: 17.5, occurred_at: '2024-02-03', description: 'Material' } })
  const repeats = async () => (await instance.admin.api.get(`/expenses/${second}/repeats`)).body.repeats
  await expect.poll(repeats, { timeout: 400_000 }).toMatchObject([{ expense: { id: first }, evidence: ['receipt'], score: 70 }])
  const { flags } = (await instance.admin.api.get(`/expenses/${second}`)).body
  expect(flags).toContainEqual(expect.objectContaining({ condition: 'repeat', value: 1 }))
})

test('an upload is read under its Location, and nobody reads the captures and uploads of others', { timeout: 500_000 }, async () => {
  const bytes = await drawReceipt(receipt, 'scan', 3)
  const { id } = await capture({ token: instance.admin.token, url: instance.url }, { bytes, name: 'receipt.jpg' })
  const { readings } = (await instance.member.api.get(`/organizations/${instance.organization_id}/readings?capture_ids=${id}`)).body
  expect(readings).toEqual([])
  const own = await uploadFile(instance.member, { bytes, name: 'at the bar, late.jpg', type: 'image/jpeg' })
  const theirs = await uploadFile(instance.admin, { bytes, name: 'receipt.jpg', type: 'image/jpeg' })
  const asked = new URLSearchParams({ files: [own, theirs].join(',') }).toString()
  expect(await readOf(asked)).toMatchObject([
    { file: own, state: 'read' },
    { file: theirs, state: 'unknown', fields: [] },
  ])
})

test('what a code says comes first and exactly', { timeout: 500_000 }, async () => {
  const code = makeCode(5)
  const bytes = await damage(await paintReceipt(code, { lines: 2 }), 'mild', 5)
  const { id } = await capture({ token: instance.member.token, url: instance.url }, { bytes, name: 'code.jpg' })
  const [reading] = await readOf(`capture_ids=${id}`)
  const ofCode = reading?.fields.filter(({ source }) => source === 'code') ?? []
  expect(ofCode.map(({ field }) => field)).toEqual(['date', 'total', 'currency', 'supplier_tax_id', 'document_number'])
  expect(ofCode.find(({ field }) => field === 'total')).toMatchObject({
    value: String(code.total_minor),
    probability: 1,
    place: { page: 0 },
  })
  expect(reading?.fields.filter(({ field }) => field === 'total')).toHaveLength(1)
})

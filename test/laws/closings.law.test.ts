import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookedMonth } from '#shared/domain/closing/months'
import { expenseStatuses } from '#shared/domain/expense-status'
import { attach } from '#test/support/attach'
import { newExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { approvedExpense, newMoney, recordMoney } from '#test/support/settlements'
import { uploadFile } from '#test/support/upload'
import { pngFile } from '#test/support/sample-files'

let acme: Instance
const own: { expenses: Json[]; reports: Json[]; reimbursements: Json[]; advancements: Json[]; file: string } = {
  ...{ expenses: [], reports: [], reimbursements: [], advancements: [], file: '' },
}

beforeAll(async () => {
  acme = await startInstance()
  const days = ['2026-03-01', '2026-03-31T23:59:59Z', '2026-04-01', '2026-05-02']
  for (const occurred_at of days)
    own.expenses.push(
      await recordExpense(acme, acme.member, { occurred_at, tags: 'Trip' }),
      await approvedExpense(acme, { occurred_at }),
      await approvedExpense(acme, { occurred_at, liquidate_through_advancement: true }),
    )
  for (const { id } of own.expenses.slice(0, 4)) await attach(acme.manager.api, id, `receipt ${id}`)
  const report = (expense_ids: number[]) =>
    acme.admin.api.send('POST', '/accountabilities', { ...newMoney(acme), title: 'Trip', expense_ids })
  for (const ids of [[own.expenses[1].id], [own.expenses[5].id, own.expenses[8].id]]) own.reports.push((await report(ids)).body)
  const paid = await approvedExpense(acme, { occurred_at: '2026-03-09' })
  own.expenses.push(paid)
  own.reimbursements.push(await recordMoney(acme, '/reimbursements', { date: '2026-05-09', expense_ids: [paid.id] }))
  own.reimbursements.push(await recordMoney(acme, '/reimbursements'), await recordMoney(acme, '/reimbursements', { date: '2026-05-09' }))
  own.advancements.push(await recordMoney(acme, '/advancements'), await recordMoney(acme, '/advancements', { date: '2026-04-09' }))
  own.file = await uploadFile(acme.manager, await pngFile('again'))
  await acme.admin.api.send('POST', `/organizations/${acme.organization_id}/closings`, { name: '2026-03' })
}, 60_000)
afterAll(() => acme.remove())

/** What of the closed month may not change: every expense, receipt and settlement of it, whole. */
async function readMonth(): Promise<Json> {
  const { expenses } = (await acme.admin.api.get('/expenses?per_page=100&sort=id')).body
  const isIn = ({ date }: Json) => date.startsWith('2026-03')
  const settlements = async (table: string) => (await acme.admin.api.get(`/${table}?per_page=100&sort=id`)).body[table].filter(isIn)
  return {
    expenses: expenses.filter((one: Json) => bookedMonth(one) === '2026-03').map(toEssence),
    reimbursements: (await settlements('reimbursements')).map(toEssence),
    advancements: (await settlements('advancements')).map(toEssence),
  }
}

const commented = new Set(['comments_count', 'activities_count', 'version', 'updated_at'])
/** What a payment of an open month writes on an approved expense. */
const settled = new Set(['status', 'reimbursement_id'])
const isPayable = (status: string) => status === 'approved' || status === 'liquidated'

/** All but what comments and payments change, and addresses of files, which expire. */
function toEssence({ attachments, expenses, ...all }: Json): Json {
  const isLeft = (name: string) => !commented.has(name) && !(isPayable(all.status) && settled.has(name))
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => isLeft(name)))
  const receipts = attachments?.map(({ id, file_name, description, content_type }: Json) => ({ id, file_name, description, content_type }))
  return { ...rest, receipts, expenses: expenses?.map(({ id }: Json) => id) }
}

const person = fc.constantFrom<'member' | 'analyst' | 'manager' | 'admin'>('member', 'analyst', 'manager', 'admin')
const day = fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-15', '2026-03-31T23:59:59Z', '2026-04-01', '2026-05-05')
const pick = fc.nat(99)
const change = fc.record(
  {
    ...{ amount: fc.constantFrom(1, 7.77, 12.5), occurred_at: day, tags: fc.constantFrom('', 'Trip', 'Hotel') },
    ...{ currency: fc.constantFrom('BRL', 'EUR'), description: fc.constantFrom('a', 'b'), liquidate_through_advancement: fc.boolean() },
  },
  { requiredKeys: [] },
)
const any = <T>(list: readonly T[], index: number): T => {
  const one = list[index % list.length]
  if (one === undefined) throw new Error('There is nothing to choose from.')
  return one
}
const target = <T extends Record<string, fc.Arbitrary<unknown>>>(what: string, rest: T) =>
  fc.record({ what: fc.constant(what), at: pick, by: person, ...rest })
const act = fc.oneof(
  target('record', { change }),
  target('edit', { change }),
  target('move', { status: fc.constantFrom(...expenseStatuses), amount: fc.constantFrom(1, 12.5), flag: fc.boolean() }),
  target('delete', {}),
  target('attach', {}),
  target('detach', {}),
  target('pay', { date: day }),
  target('pay edit', { date: fc.option(day), amount: fc.constantFrom(1, 100) }),
  target('pay delete', {}),
  target('advance', { date: day }),
  target('advance edit', { date: fc.option(day), amount: fc.constantFrom(1, 100) }),
  target('advance delete', {}),
  target('report', { status: fc.constantFrom('ready_to_review', 'analyzed', 'approved', 'finished', 'opened') }),
  target('tag', { name: fc.constantFrom('Trip', 'Hotel') }),
)
type Act = { readonly [name: string]: Json }

/** A request that does what an act says. */
async function requestOf(one: Act): Promise<[method: string, path: string, body?: unknown]> {
  const { id } = any(own.expenses, one.at)
  const { id: paid } = any(own.reimbursements, one.at)
  const { id: handed } = any(own.advancements, one.at)
  const dated = { amount: one.amount, ...(one.date == null ? {} : { date: one.date }) }
  switch (one.what) {
    case 'record':
      return ['POST', '/expenses', newExpense(acme, one.change)]
    case 'edit':
      return ['PATCH', `/expenses/${id}`, one.change]
    case 'move': {
      const approval = { approved_amount: one.amount, approved_amount_currency: 'BRL', ignore_noncompliant: one.flag }
      return ['PUT', `/expenses/${id}/status`, { status: one.status, ...approval }]
    }
    case 'delete':
      return ['DELETE', `/expenses/${id}`]
    case 'attach':
      return ['POST', `/expenses/${id}/attachments`, { file: own.file }]
    case 'detach': {
      const { attachments = [] } = (await acme.admin.api.get(`/expenses/${id}/attachments`)).body
      return ['DELETE', `/expenses/${id}/attachments/${attachments[0]?.id ?? 0}`]
    }
    case 'pay':
      return ['POST', '/reimbursements', newMoney(acme, { date: one.date, expense_ids: [id] })]
    case 'pay edit':
      return ['PATCH', `/reimbursements/${paid}`, dated]
    case 'pay delete':
      return ['DELETE', `/reimbursements/${paid}`]
    case 'advance':
      return ['POST', '/advancements', newMoney(acme, { date: one.date })]
    case 'advance edit':
      return ['PATCH', `/advancements/${handed}`, dated]
    case 'advance delete':
      return ['DELETE', `/advancements/${handed}`]
    case 'report':
      return ['PUT', `/accountability/${any(own.reports, one.at).id}/status`, { status: one.status }]
    default:
      return ['POST', `/expenses/${id}/comments`, { content: one.name }]
  }
}

test('nothing that anyone does changes a closed month', async () => {
  const before = await readMonth()
  const outcomes = { done: 0, closed: 0, late: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), fc.boolean(), async (acts, isBatch) => {
      const requests: Array<{ by: Person; request: [string, string, unknown?] }> = []
      for (const one of acts) requests.push({ by: acme[one.by as 'member'], request: await requestOf(one) })
      const answers: Array<{ status: number; body: Json }> = []
      if (isBatch) {
        const operations = requests.map(({ request: [method, path, body] }) => ({ method, path, body }))
        answers.push(...(await acme.admin.api.send<Json>('POST', '/batch', { operations })).body.results)
      } else for (const { by, request } of requests) answers.push(await by.api.send<Json>(...request))
      for (const { status, body } of answers) {
        expect(status).toBeLessThan(500)
        if (status < 300) outcomes.done += 1
        if (JSON.stringify(body)?.includes('March 2026')) outcomes.closed += 1
        if (status === 201 && body.booked_on) outcomes.late += 1
        if (status === 201 && body.occurred_at && own.expenses.length < 60) own.expenses.push(body)
      }
      expect(await readMonth()).toEqual(before)
    }),
    { numRuns: inForm(15, 30) },
  )
  // The month was asked for, late arrivals came, and the rest of the organization worked.
  expect(Math.min(outcomes.done, outcomes.closed, outcomes.late)).toBeGreaterThan(inForm(0, 3))
}, 240_000)

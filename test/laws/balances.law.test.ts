import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { approvedExpense, recordMoney } from '#test/support/settlements'

let people = 0
const instance = await instanceOfFile()

const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await instance.manager.api.send(method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`)
  return response.body
}

const currency = fc.constantFrom('JPY', 'BRL', 'KWD')
const money = fc.record({ amount_minor: fc.integer({ min: 1, max: 99_999_999_999 }), currency })
type Money = { amount_minor: number; currency: string }
/** Which of the records that are there an operation is about; none: the operation does nothing. */
const which = fc.nat()

const operation = fc.oneof(
  fc.record({ kind: fc.constant('advance' as const), money }),
  fc.record({ kind: fc.constant('change' as const), which, money }),
  fc.record({ kind: fc.constant('delete' as const), which }),
  fc.record({ kind: fc.constant('give back' as const), money }),
  fc.record({ kind: fc.constant('spend' as const), money }),
  fc.record({ kind: fc.constant('claim' as const), money }),
  fc.record({ kind: fc.constant('reimburse' as const), money }),
  fc.record({ kind: fc.constant('undo reimbursement' as const), which }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** What a ledger kept beside the service holds: a line for each advancement, and one for all that was given back or spent. */
class Ledger {
  readonly advancements: Array<Money & { id: number }> = []
  readonly reimbursements: number[] = []
  readonly taken: Money[] = []

  balances(): Record<string, number> {
    const sums: Record<string, number> = {}
    for (const line of this.advancements) sums[line.currency] = (sums[line.currency] ?? 0) + line.amount_minor
    for (const line of this.taken) sums[line.currency] = (sums[line.currency] ?? 0) - line.amount_minor
    return Object.fromEntries(Object.entries(sums).map(([code, minor]) => [code, fromMinor(minor, code)]))
  }
}

const wire = ({ amount_minor, currency: code }: Money) => ({ amount: fromMinor(amount_minor, code), currency: code })

async function perform(ledger: Ledger, receiver: Person, done: Operation): Promise<void> {
  const party = { receiver: { id: receiver.user_id, type: 'User' } }
  const index = 'which' in done ? done.which % Math.max(ledger.advancements.length, 1) : 0
  const chosen = ledger.advancements[index]
  switch (done.kind) {
    case 'advance': {
      const { id } = await recordMoney(instance, '/advancements', { ...party, ...wire(done.money) })
      ledger.advancements.push({ id, ...done.money })
      return
    }
    case 'change':
      if (!chosen) return
      await send('PATCH', `/advancements/${chosen.id}`, wire(done.money))
      ledger.advancements[index] = { id: chosen.id, ...done.money }
      return
    case 'delete':
      if (!chosen) return
      await send('DELETE', `/advancements/${chosen.id}`)
      ledger.advancements.splice(index, 1)
      return
    case 'give back':
      await recordMoney(instance, '/advancement_devolutions', { ...party, ...wire(done.money) })
      ledger.taken.push(done.money)
      return
    case 'spend': {
      const spent = { ...wire(done.money), liquidate_through_advancement: true }
      const { id } = await approvedExpense(instance, spent, receiver)
      await moveExpense(instance.manager, id, { status: 'liquidated' })
      ledger.taken.push(done.money)
      return
    }
    case 'claim':
      await recordExpense(instance, receiver, { ...wire(done.money), liquidate_through_advancement: true })
      return
    case 'reimburse': {
      const expense = await approvedExpense(instance, wire(done.money), receiver)
      const paid = { ...party, ...wire(done.money), expense_ids: [expense.id] }
      ledger.reimbursements.push((await recordMoney(instance, '/reimbursements', paid)).id)
      return
    }
    case 'undo reimbursement': {
      const id = ledger.reimbursements.pop()
      if (id !== undefined) await send('DELETE', `/reimbursements/${id}`)
    }
  }
}

async function balancesOf({ user_id }: Person): Promise<Record<string, number>> {
  const { body } = await instance.manager.api.get(`/advancements/balances?q[receiver_id]=${user_id}`)
  return Object.fromEntries(body.other_balances.objects.map((one: Json) => [one.currency, one.amount]))
}

test('balances equal the ledger to the minor unit, for any operations in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 14 }), async (operations) => {
      const receiver = await instance.addUser(`Person ${(people += 1)}`, 'member')
      const ledger = new Ledger()
      for (const done of operations) await perform(ledger, receiver, done)
      const expected = ledger.balances()
      expect(await balancesOf(receiver)).toEqual(expected)
      for (const code of ['JPY', 'BRL', 'KWD']) {
        const path = `/advancements/balances/${instance.organization_id}?receiver_id=${receiver.user_id}&currency=${code}`
        expect((await receiver.api.get(path)).body.amount).toBe(expected[code] ?? 0)
      }
    }),
    { numRuns: inForm(20, 60) },
  )
})

test('advances that are returned in any number of parts leave a balance of zero', async () => {
  const parts = fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(parts, parts, currency, async (some, others, code) => {
      const receiver = await instance.addUser(`Person ${(people += 1)}`, 'member')
      const record = (path: string, amount_minor: number) =>
        recordMoney(instance, path, { receiver: { id: receiver.user_id, type: 'User' }, ...wire({ amount_minor, currency: code }) })
      for (const part of some) await record('/advancements', part)
      for (const part of others) await record('/advancement_devolutions', part)
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
      const rest = sum(some) - sum(others)
      if (rest !== 0) await record(rest > 0 ? '/advancement_devolutions' : '/advancements', Math.abs(rest))
      expect(await balancesOf(receiver)).toEqual({ [code]: 0 })
    }),
    { numRuns: inForm(10, 30) },
  )
})

test('a reimbursement that is made, changed and deleted leaves every expense as it was', async () => {
  const subset = fc.array(fc.nat({ max: 4 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(currency, fc.array(subset, { minLength: 1, maxLength: 4 }), async (code, sets) => {
      const receiver = await instance.addUser(`Person ${(people += 1)}`, 'member')
      const expenses: Json[] = []
      for (let minor = 1; minor <= 5; minor += 1)
        expenses.push(await approvedExpense(instance, wire({ amount_minor: minor * 7, currency: code }), receiver))
      const idsIn = (set: number[]) => set.map((index) => expenses[index].id)
      const party = { receiver: { id: receiver.user_id, type: 'User' } }
      const [first = [], ...others] = sets
      const made = await recordMoney(instance, '/reimbursements', {
        ...party,
        ...wire({ amount_minor: 1, currency: code }),
        expense_ids: idsIn(first),
      })
      for (const set of others) await send('PATCH', `/reimbursements/${made.id}`, { expense_ids: idsIn(set) })
      const joined = new Set(idsIn(sets.at(-1) ?? []))
      const { body } = await receiver.api.get(`/reimbursements/${made.id}`)
      expect(new Set(body.expenses.map(({ id }: Json) => id))).toEqual(joined)
      for (const { id } of expenses)
        expect((await receiver.api.get(`/expenses/${id}`)).body.status).toBe(joined.has(id) ? 'liquidated' : 'approved')
      await send('DELETE', `/reimbursements/${made.id}`)
      for (const expense of expenses) {
        const { version: _version, activities_count: _count, updated_at: _updated, ...rest } = expense
        expect((await receiver.api.get(`/expenses/${expense.id}`)).body).toMatchObject(rest)
      }
    }),
    { numRuns: inForm(8, 25) },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { sumAccounts } from '../../../src-renderer/features/advances/accounts'
import { balanceOf, toLedger, type LedgerRecords } from '../../../src-renderer/features/advances/ledger'

const user = { id: 7, uid: 'u7', name: 'Carla Dias', type: 'User' as const }

function settlement(uid: string, amount: number, date: string) {
  return { id: 1, uid, amount, date, created_at: '2026-03-01T10:00:00Z', description: uid, responsible_user: user }
}

function expense(uid: string, approved_amount: number | null, date: string, approved_amount_currency: string | null = 'BRL') {
  const { description, responsible_user, created_at } = settlement(uid, 0, date)
  return { id: 2, uid, approved_amount, approved_amount_currency, occurred_at: date, created_at, description, responsible_user }
}

describe('the ledger of an account', () => {
  test('merges what was handed out, spent and given back by date, each line with the balance after it', () => {
    const records: LedgerRecords = {
      advancements: [settlement('b', 0.2, '2026-01-03T00:00:00Z'), settlement('a', 0.1, '2026-01-01T00:00:00Z')],
      devolutions: [settlement('d', 0.05, '2026-01-05T00:00:00Z')],
      expenses: [expense('c', 0.3, '2026-01-02T00:00:00Z')],
    }
    expect(toLedger(records, 'BRL').map(({ uid, kind, amount_minor, balance_minor }) => [uid, kind, amount_minor, balance_minor])).toEqual([
      ['a', 'advancement', 10, 10],
      ['c', 'expense', -30, -20],
      ['b', 'advancement', 20, 0],
      ['d', 'devolution', -5, -5],
    ])
  })

  test('an expense approved in another currency, or in none, is no line of it', () => {
    const records: LedgerRecords = {
      advancements: [],
      devolutions: [],
      expenses: [expense('a', 10, '2026-01-01T00:00:00Z', 'USD'), expense('b', null, '2026-01-01T00:00:00Z', null)],
    }
    expect(toLedger(records, 'BRL')).toEqual([])
    expect(balanceOf([])).toBe(0)
  })

  test('an amount that its currency cannot have is refused, not rounded', () => {
    const records = { advancements: [settlement('a', 1.5, '2026-01-01T00:00:00Z')], devolutions: [], expenses: [] }
    expect(() => toLedger(records, 'JPY')).toThrow(RangeError)
  })

  test('the last running balance is the sum of all movements to the minor unit, in any order and currency', () => {
    const movement = fc.record({ minor: fc.integer({ min: 1, max: 9 * 10 ** 11 }), day: fc.integer({ min: 0, max: 700 }), uid: fc.uuid() })
    const day = (days: number) => `${new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10)}T00:00:00Z`
    fc.assert(
      fc.property(
        fc.constantFrom('BRL', 'JPY', 'KWD'),
        fc.array(movement, { maxLength: 40 }),
        fc.array(movement, { maxLength: 40 }),
        fc.array(movement, { maxLength: 40 }),
        (currency, handedOut, givenBack, spent) => {
          const lines = toLedger(
            {
              advancements: handedOut.map(({ minor, ...m }) => settlement(m.uid, fromMinor(minor, currency), day(m.day))),
              devolutions: givenBack.map(({ minor, ...m }) => settlement(m.uid, fromMinor(minor, currency), day(m.day))),
              expenses: spent.map(({ minor, ...m }) => expense(m.uid, fromMinor(minor, currency), day(m.day), currency)),
            },
            currency,
          )
          const sum = (items: ReadonlyArray<{ minor: number }>) => items.reduce((total, { minor }) => total + minor, 0)
          expect(balanceOf(lines)).toBe(sum(handedOut) - sum(givenBack) - sum(spent))
          expect(lines.map(({ date }) => date)).toEqual(lines.map(({ date }) => date).toSorted())
          lines.forEach(({ amount_minor, balance_minor }, index) =>
            expect(balance_minor - amount_minor).toBe(lines[index - 1]?.balance_minor ?? 0),
          )
        },
      ),
    )
  })
})

test('money held and money owed are summed separately, and by currency', () => {
  const balance = (amount: number, currency: string) => ({
    amount,
    currency,
    payer: { id: 1, uid: 'o1', name: 'Acme', type: 'Organization' as const },
    receiver: user,
  })
  expect(
    sumAccounts([balance(0.1, 'BRL'), balance(0.2, 'BRL'), balance(-30.3, 'BRL'), balance(0, 'EUR'), balance(5, 'JPY')]),
  ).toMatchObject({
    held: [
      { amount: 0.3, currency: 'BRL' },
      { amount: 5, currency: 'JPY' },
    ],
    owed: [{ amount: 30.3, currency: 'BRL' }],
  })
})

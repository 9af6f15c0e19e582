import fc from 'fast-check'
import { fromMinor } from '#shared/domain/money'
import { toTaxNumber } from '#shared/domain/tax-ids'
import { type Instance, type Json, type Person } from '#test/support/instance'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'

const currencies = ['BRL', 'USD', 'JPY'] as const
const tags = ['travel', 'meals', 'São Paulo', 'Rio, SP'] as const

/** The tags that a list names in one text, one of which has a comma. */
export const tagsIn = (text: string) => tags.filter((tag) => `, ${text},`.includes(`, ${tag},`))

const generated = fc.record({
  minor: fc.integer({ min: 1, max: 5_000_000 }),
  currency: fc.constantFrom(...currencies),
  day: fc.integer({ min: 0, max: 500 }),
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
  supplier_name: fc.constantFrom(null, 'Hotel “Ibis”', 'Uber', 'uber'),
  supplier_tax_id: fc.constantFrom(
    null,
    null,
    '11.222.333/0001-81',
    '11222333000181',
    'PT 503 504 564',
    '503504564',
    '***.982.247-**',
    'n/a',
    '00000000000',
  ),
  own: fc.boolean(),
  move: fc.constantFrom(null, 'approved', 'elsewhere', 'rejected', 'liquidated'),
})

/** Expenses of every currency, status, tag and month, written over the API; the same for the same seed. */
export async function recordGenerated(instance: Instance, { count, seed }: { count: number; seed: number }): Promise<void> {
  for (const { minor, currency, day, own, move, ...rest } of fc.sample(generated, { numRuns: count, seed })) {
    const person = own ? instance.member : instance.analyst
    const occurred_at = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
    const { id } = await recordExpense(instance, person, { ...rest, amount: fromMinor(minor, currency), currency, occurred_at })
    if (move === 'elsewhere')
      await moveExpense(instance.manager, id, {
        status: 'approved',
        approved_amount: 7.5,
        approved_amount_currency: currency === 'BRL' ? 'USD' : 'BRL',
      })
    else if (move === 'rejected') await moveExpense(instance.manager, id, { status: move })
    else if (move !== null)
      await moveExpense(instance.manager, id, {
        status: 'approved',
        approved_amount: fromMinor(minor, currency),
        approved_amount_currency: currency,
      })
    if (move === 'liquidated') await moveExpense(instance.manager, id, { status: move })
  }
}

/** What the expenses of one supplier have in common: a tax number without punctuation, else a name. */
export function supplierOf({ supplier_name, supplier_tax_id }: Json): string | null {
  const number = toTaxNumber(supplier_tax_id ?? '')
  return number.length >= 9 && /[1-9]/.test(number) ? number : supplier_name
}

/** All rows of a list, page by page. */
export async function listAll(instance: Instance, person: Person, q: Record<string, unknown>): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await getWithBody(instance.url, person, { path: `/expenses?per_page=100&page=${page}`, body: { q } })
    rows.push(...body.expenses)
    if (rows.length >= body.count) return rows
  }
}

/** What an expense counts for. */
export function countedOf({ amount, currency, approved_amount, approved_amount_currency }: Json): { amount: number; currency: string } {
  return approved_amount === null ? { amount, currency } : { amount: approved_amount, currency: approved_amount_currency }
}

/** Filters of every kind; some match nothing. */
export const someFilters = fc.record(
  {
    currency_in: fc.uniqueArray(fc.constantFrom(...currencies), { minLength: 1 }),
    status_not_eq: fc.constantFrom('approved', 'rejected'),
    search_tags: fc.constantFrom(...tags),
    supplier_name_null: fc.constantFrom('0', '1'),
    occurred_at_gteq: fc.constantFrom('2025-01-01', '2025-03-01', '2025-06-15', '2029-01-01'),
    occurred_at_lt: fc.constantFrom('2025-07-01', '2026-01-01', '2025-06-20'),
    amount_gt: fc.constantFrom('100', '20000'),
    counted_currency: fc.constantFrom(['BRL'], ['USD', 'JPY']),
  },
  { requiredKeys: [] },
)

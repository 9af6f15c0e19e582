import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComparedExpense, compareExpenses } from '#shared/domain/repeats'
import { listSplit } from '#shared/domain/repeats/parts'
import { compareDocuments } from '#shared/domain/repeats/document-numbers'
import { inForm } from '#test/support/form'

const taxi: ComparedExpense = {
  ...{ kind: 'monetary', occurred_at: '2026-03-04T00:00:00Z', amount_minor: 9100, currency: 'BRL', receiver_id: 1 },
  ...{ description: 'Taxi to the airport', supplier_name: null, supplier_tax_id: null, receipts: [] },
}
const other: ComparedExpense = { ...taxi, receiver_id: 2, description: 'Lunch with guests' }
const receipt = { sha256: 'a', invoice_key: null, picture: null }
const read = { ...receipt, said: '2026-03-04 9100', seller: '11222333000181' }
const evidenceOf = (one: Partial<ComparedExpense>, two: Partial<ComparedExpense> = {}) =>
  compareExpenses({ ...taxi, ...one }, { ...other, ...two })?.evidence ?? []

describe('what speaks for a repeat', () => {
  test('nothing: another claimant, another text', () => expect(evidenceOf({})).toEqual([]))
  test.each<[string, Partial<ComparedExpense>, Partial<ComparedExpense>, readonly string[]]>([
    ['the same claimant', {}, { receiver_id: 1 }, ['claimant']],
    ['a description typed again', {}, { description: 'airport, táxi to the' }, ['description']],
    ['the same supplier by tax number', { supplier_tax_id: '11.222.333/0001-81' }, { supplier_tax_id: '11222333000262' }, ['supplier']],
    ['the same supplier by name', { supplier_name: 'Posto Azevedo Ltda' }, { supplier_name: 'POSTO AZEVEDO' }, ['supplier']],
    ['the same document number', { description: 'Fuel, doc 000.123' }, { description: 'Invoice 123' }, ['document']],
    [
      'the same document number, however it is called',
      { description: 'Fuel, Nota fiscal nº 123' },
      { description: 'Documento n. 123' },
      ['document'],
    ],
    [
      'the same file, of any amount and day',
      { receipts: [receipt], amount_minor: 1, occurred_at: '2020-01-01T00:00:00Z' },
      { receipts: [receipt] },
      ['file'],
    ],
    [
      'the same invoice',
      { receipts: [{ ...receipt, invoice_key: 'k' }] },
      { receipts: [{ ...receipt, sha256: 'b', invoice_key: 'k' }] },
      ['invoice'],
    ],
    [
      'a copy of the picture',
      { receipts: [{ ...receipt, picture: '0'.repeat(64) }], occurred_at: '2025-01-01T00:00:00Z' },
      { receipts: [{ ...receipt, sha256: 'b', picture: `${'0'.repeat(61)}fff` }] },
      ['picture'],
    ],
    [
      'the day and total of receipts, of any amount and day',
      { receipts: [read], amount_minor: 1, occurred_at: '2020-01-01T00:00:00Z' },
      { receipts: [{ ...read, sha256: 'b', seller: null }] },
      ['receipt'],
    ],
  ])('%s', (_name, one, two, evidence) => expect(evidenceOf(one, two)).toEqual(evidence))
})

describe('what speaks against one', () => {
  const same = { receiver_id: 1, description: taxi.description }
  test.each<[string, Partial<ComparedExpense>, Partial<ComparedExpense>]>([
    ['another amount', { amount_minor: 9101 }, same],
    ['another currency', { currency: 'EUR' }, same],
    ['four days', { occurred_at: '2026-03-08T00:00:00Z' }, same],
    ['another supplier', { supplier_name: 'Posto Azevedo' }, { ...same, supplier_name: 'Hotel Lisboa' }],
    ['another tax number', { supplier_tax_id: '11.222.333/0001-81' }, { ...same, supplier_tax_id: '99.222.333/0001-81' }],
    ['another document number', { description: 'Fuel, doc 1' }, { ...same, description: 'Fuel, doc 2' }],
    [
      'another document number for one person',
      { description: 'Ride, doc 8, employee no. 34.4464' },
      { ...same, description: 'Ride, doc 10, Employee no. 34.4464' },
    ],
    [
      'another booking of an airline',
      { description: 'Localizador: JSBCEO. BSB - THE' },
      { ...same, description: 'localizador: bjcwux. bsb - the' },
    ],
    [
      'a name that begins as the word for a number',
      { description: 'BUS OF MS NOGUEIRA' },
      { description: 'MS NOGUEIRA: DINNER WITH GUESTS' },
    ],
    [
      'a word after one for a document',
      { description: 'FATURA ENERGIA' },
      { description: 'CONSUMO DE MARÇO NA LOJA DO CENTRO, FATURA ENERGIA' },
    ],
    ['other numbers in the text', { description: 'Rent 03/11' }, { ...same, description: 'Rent 04/11' }],
    [
      'another invoice',
      { receipts: [{ ...receipt, invoice_key: 'k' }] },
      { ...same, receipts: [{ ...receipt, sha256: 'b', invoice_key: 'l' }] },
    ],
    [
      'another picture',
      { receipts: [{ ...receipt, picture: '0'.repeat(64) }], occurred_at: '2025-01-01T00:00:00Z' },
      { receipts: [{ ...receipt, sha256: 'b', picture: `${'0'.repeat(60)}ffff` }] },
    ],
    ['the same claimant on another day, with another text', { occurred_at: '2026-03-05T00:00:00Z', description: 'Lunch' }, same],
    [
      'the same supplier alone, of two people on two days',
      { supplier_name: 'Posto Azevedo', occurred_at: '2026-03-05T00:00:00Z' },
      { supplier_name: 'Posto Azevedo' },
    ],
    [
      'a short description alone, of two people on two days',
      { description: 'Taxi', occurred_at: '2026-03-05T00:00:00Z' },
      { description: 'taxi' },
    ],
    [
      'a copy of the picture with another document number',
      { description: 'Rent, doc 1', receipts: [{ ...receipt, picture: '0'.repeat(64) }] },
      { description: 'Rent, doc 2', receipts: [{ ...receipt, sha256: 'b', picture: '0'.repeat(64) }] },
    ],
    ['another day or total of receipts', { receipts: [read] }, { receipts: [{ ...read, sha256: 'b', said: '2026-03-04 9101' }] }],
    ['another seller of receipts', { receipts: [read] }, { receipts: [{ ...read, sha256: 'b', seller: '99888777000101' }] }],
    ['receipts in another currency', { receipts: [read] }, { currency: 'EUR', receipts: [{ ...read, sha256: 'b' }] }],
    ['the same way on another day', { kind: 'distance', occurred_at: '2026-03-05T00:00:00Z' }, { ...same, kind: 'distance' }],
  ])('%s', (_name, one, two) => expect(evidenceOf(one, two)).toEqual([]))
})

const texts = fc.option(
  fc.constantFrom('Taxi', 'Taxi to the airport', 'Lunch, doc 12', 'Nota 12', 'Fuel 34', 'S/N', 'Localizador: JSBCEO', '·', 'Ação'),
  { nil: null },
)
const receipts = fc.array(
  fc.record({
    sha256: fc.constantFrom('a', 'b', 'c'),
    invoice_key: fc.option(fc.constantFrom('k', 'l'), { nil: null }),
    said: fc.option(fc.constantFrom('2026-03-04 100', '2026-03-04 200'), { nil: null }),
    seller: fc.option(fc.constantFrom('11222333000181', '99888777000101'), { nil: null }),
    picture: fc.option(fc.constantFrom('0'.repeat(64), `${'0'.repeat(60)}00ff`, 'f'.repeat(64)), { nil: null }),
  }),
  { maxLength: 2 },
)
const expenses: fc.Arbitrary<ComparedExpense> = fc.record({
  kind: fc.constantFrom('monetary', 'distance'),
  occurred_at: fc.constantFrom('2026-03-04T00:00:00Z', '2026-03-04T23:59:59Z', '2026-03-07T12:00:00Z', '2026-03-08T00:00:00Z'),
  amount_minor: fc.constantFrom(100, 200),
  currency: fc.constantFrom('BRL', 'EUR'),
  receiver_id: fc.constantFrom(1, 2),
  description: texts,
  supplier_name: fc.option(fc.constantFrom('Posto Azevedo', 'Azevedo', 'Hotel Lisboa', 'Ltda'), { nil: null }),
  supplier_tax_id: fc.option(fc.constantFrom('11.222.333/0001-81', '***.222.333-**', '99222333000181'), { nil: null }),
  receipts,
})

describe('for all expenses', () => {
  test('it does not matter which of the two comes first', () => {
    const isSymmetric = (one: ComparedExpense, two: ComparedExpense) => {
      expect(compareExpenses(one, two)).toEqual(compareExpenses(two, one))
    }
    fc.assert(fc.property(expenses, expenses, isSymmetric), { numRuns: inForm(1000, 5000) })
  })
  test('the order of receipts does not matter', () => {
    fc.assert(
      fc.property(expenses, expenses, (one, two) => {
        expect(compareExpenses({ ...one, receipts: one.receipts.toReversed() }, two)).toEqual(compareExpenses(one, two))
      }),
    )
  })
  test('an expense that is recorded twice repeats itself, and a score is 1 to 99', () => {
    fc.assert(
      fc.property(expenses, expenses, (one, two) => {
        expect(compareExpenses(one, one)?.evidence).toContain(
          one.receipts.some(({ invoice_key }) => invoice_key !== null) ? 'invoice' : 'claimant',
        )
        const { score = 1, evidence = ['none'] } = compareExpenses(one, two) ?? {}
        expect(score >= 1 && score <= 99 && evidence.length > 0).toBe(true)
      }),
    )
  })
})

test('descriptions of any length are compared in time that grows with their length', () => {
  // In time that grows with its square, one comparison would outlast the test.
  for (const text of ['x'.repeat(500_000), `matrícula${' '.repeat(500_000)}`, 'doc'.repeat(200_000), '1/'.repeat(250_000)])
    expect(compareDocuments(text, `${text} NF 123`)).not.toBe('same')
})

describe('a purchase that is claimed whole and in two parts', () => {
  const bought = (id: number, amount_minor: number, differs: Partial<ComparedExpense> = {}) => ({ ...taxi, id, amount_minor, ...differs })
  const [whole, small, large] = [bought(1, 9100), bought(2, 3000), bought(3, 6100)]
  const idsOf = (expenses: ReadonlyArray<{ id: number }>) => expenses.map(({ id }) => id).toSorted((a, b) => a - b)

  test('is found from the whole and from each part', () => {
    const all = [whole, small, large, bought(4, 500)]
    expect(
      [whole, small, large].map((one) =>
        idsOf(
          listSplit(
            one,
            all.filter((other) => other !== one),
          ),
        ),
      ),
    ).toEqual([
      [2, 3],
      [1, 3],
      [1, 2],
    ])
  })

  test('is none of another claimant, supplier, document, currency or day, nor of distances', () => {
    const differing: Partial<ComparedExpense>[] = [
      { receiver_id: 2 },
      { description: 'Lunch with guests' },
      { currency: 'USD' },
      { occurred_at: '2026-03-09T00:00:00Z' },
      { kind: 'distance' },
    ]
    for (const differs of differing) expect(listSplit(whole, [small, bought(3, 6100, differs)])).toEqual([])
    const named = (id: number, amount_minor: number, number: number) => bought(id, amount_minor, { description: `Taxi, doc ${number}` })
    expect(listSplit(named(1, 9100, 11), [named(2, 3000, 11), named(3, 6100, 12)])).toEqual([])
  })

  test('is of the nearest day where its amount is usual', () => {
    const yesterday = bought(4, 9100, { occurred_at: '2026-03-03T00:00:00Z' })
    expect(idsOf(listSplit(large, [yesterday, whole, small]))).toEqual([1, 2])
    expect(listSplit(yesterday, [whole, small, large])).toEqual([])
  })
})

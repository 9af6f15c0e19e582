import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComparedLine, type LinePlan, type StoredLine, planLines } from '#shared/domain/statements/known-lines'
import { relateTexts, readText } from '#shared/domain/statements/line-texts'
import type { Period } from '#shared/domain/statements/periods'

/** The lines that a card has after some statements, in the order in which they are imported, and what each line was. */
function importEach(statements: ReadonlyArray<readonly ComparedLine[]>) {
  const stored: StoredLine[] = []
  let periods: readonly Period[] = []
  const kinds: Array<Array<LinePlan['kind']>> = []
  for (const statement of statements) {
    const { lines, period, before } = planLines(statement, { lines: stored, periods })
    kinds.push(lines.map(({ kind }) => kind))
    for (const [index, { reference: _reference, ...line }] of statement.entries()) {
      const plan = lines[index]
      if (plan?.kind === 'new') stored.push({ ...line, external_id: plan.external_id })
    }
    if (period) periods = [...before, period]
  }
  return { stored, kinds }
}
const importAll = (statements: ReadonlyArray<readonly ComparedLine[]>): StoredLine[] => importEach(statements).stored

const sumsOf = (lines: ReadonlyArray<{ day: string; amount_minor: number }>) =>
  lines.map(({ day, amount_minor }) => `${day} ${amount_minor}`).toSorted()
const hasUniqueIds = (lines: readonly StoredLine[]) => new Set(lines.map(({ external_id }) => external_id)).size === lines.length

const dayOf = (number: number) => new Date(Date.UTC(2026, 2, 1 + number)).toISOString().slice(0, 10)
/** Few days, amounts and texts: many true twins. */
const purchase = fc.record({
  number: fc.nat({ max: 7 }),
  amount_minor: fc.constantFrom(500, 500, 500, 1250, 990, -500),
  text: fc.constantFrom('COFFEE HOUSE', 'PADARIA REAL', 'UBER TRIP'),
})
const ledger = fc
  .array(purchase, { minLength: 1, maxLength: 30 })
  .map((list) =>
    list
      .toSorted((one, other) => one.number - other.number)
      .map(({ number, amount_minor, text }) => ({ ...{ day: dayOf(number), amount_minor, currency: 'BRL', text, reference: null } })),
  )
/** Whole days from one to another, overlapping or not, in any order; together all. */
const spans = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 5 }).chain((some) => {
  const given = some.map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
  return fc.shuffledSubarray([...given, [0, 7] as const], { minLength: given.length + 1 })
})
const within = (lines: readonly ComparedLine[], [from, to]: readonly [number, number]) =>
  lines.filter(({ day }) => day >= dayOf(from) && day <= dayOf(to))

describe('any overlapping statements of a ledger, in any order, end in its lines', () => {
  test('without references', () => {
    fc.assert(
      fc.property(ledger, spans, (lines, days) => {
        const stored = importAll(days.map((span) => within(lines, span)))
        expect(sumsOf(stored)).toEqual(sumsOf(lines))
        expect(hasUniqueIds(stored)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('with lasting references, also where a statement ends within a day', () => {
    const cuts = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 })), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(ledger, cuts, (lines, parts) => {
        const told = lines.map((line, index) => ({ ...line, reference: `2026030${index}00417` }))
        const statements = parts.map(([one, other]) => told.slice(Math.min(one, other), Math.max(one, other) + 1))
        const stored = importAll([told, ...statements, told])
        expect(sumsOf(stored)).toEqual(sumsOf(lines))
        expect(hasUniqueIds(stored)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('with references that number the lines of each statement', () => {
    fc.assert(
      fc.property(ledger, spans, (lines, days) => {
        const statements = days.map((span) => within(lines, span).map((line, index) => ({ ...line, reference: String(index + 1) })))
        const stored = importAll(statements)
        expect(hasUniqueIds(stored)).toBe(true)
        expect(sumsOf(stored)).toEqual(sumsOf(lines))
      }),
      { numRuns: 300 },
    )
  })
})

test('the same statement again adds nothing, with or without references, with changed texts or new references', () => {
  fc.assert(
    fc.property(ledger, fc.constantFrom('none', 'kept', 'changed'), fc.boolean(), (lines, references, isReworded) => {
      const first = lines.map((line, index) => ({ ...line, reference: references === 'none' ? null : `A${index}0000000` }))
      const again = lines.map((line, index) => ({
        ...line,
        text: isReworded ? `${line.text} *BR 0417` : line.text,
        reference: references === 'none' ? null : references === 'kept' ? `A${index}0000000` : `B${index}0000000`,
      }))
      expect(importAll([first, again])).toHaveLength(lines.length)
    }),
    { numRuns: 500 },
  )
})

test('two equal coffees on a day are two lines', () => {
  const coffee = { day: '2026-03-04', amount_minor: 500, currency: 'BRL', text: 'COFFEE', reference: null }
  const ids = importAll([[coffee, coffee]]).map(({ external_id }) => external_id)
  expect(ids).toEqual(['f:2026-03-04:BRL500:coffee', 'f:2026-03-04:BRL500:coffee~2'])
})

test('a statement of another format knows the lines of the first', () => {
  const told = { day: '2026-03-04', amount_minor: 500, currency: 'BRL', text: 'COFFEE', reference: '202603040001' }
  expect(importAll([[told], [{ ...told, reference: null, text: 'Coffee House, Lisboa' }]])).toHaveLength(1)
  expect(importAll([[{ ...told, reference: null }], [told]])).toHaveLength(1)
})

test('a posting that moves by a day keeps its line under the same reference', () => {
  const told = { day: '2026-03-04', amount_minor: 500, currency: 'BRL', text: 'COFFEE', reference: '202603040001' }
  expect(importAll([[told], [{ ...told, day: '2026-03-06', text: 'COFFEE HOUSE' }]])).toHaveLength(1)
})

const bought = (day: string, text: string, other: Partial<ComparedLine> = {}): ComparedLine => ({
  ...{ day: `2026-${day}`, amount_minor: 25_000, currency: 'BRL', text, reference: null, ...other },
})

describe.each([false, true])('instalments that keep the day of their purchase, with new references each month: %s', (hasReferences) => {
  const month = (number: number) => {
    const day = `0${number}`
    return [
      bought('01-10', `LAPTOP ${number}/3`),
      bought('01-10', `MONITOR ${number}/3`),
      bought(`${day}-12`, 'PADARIA REAL', { amount_minor: 4_250 }),
      bought(`${day}-20`, 'UBER TRIP', { amount_minor: 990 }),
    ].map((line, index) => ({ ...line, reference: hasReferences ? `90${number}77${index}01` : null }))
  }

  test('are new each month, and known when a month is imported again', () => {
    const months = [month(1), month(2), month(3)]
    const { stored, kinds } = importEach([...months, ...months])
    expect(stored).toHaveLength(12)
    expect(kinds.slice(3).flat()).toEqual(Array.from({ length: 12 }, () => 'known'))
  })

  test('are unsure without their count: they may be those of the month before', () => {
    const bare = (number: number) => month(number).map((line) => ({ ...line, text: line.text.replace(/ \d\/3/, '') }))
    expect(importEach([bare(1), bare(2)]).kinds[1]).toEqual(['unsure', 'unsure', 'new', 'new'])
  })
})

test('of two files that end and begin between equal purchases it is said that it cannot be told whether they are two', () => {
  const coffee = bought('03-04', 'COFFEE')
  const { kinds } = importEach([
    [bought('03-02', 'HOTEL'), coffee],
    [coffee, bought('03-06', 'TAXI')],
  ])
  expect(kinds[1]).toEqual(['unsure', 'new'])
  expect(
    importEach([
      [bought('03-02', 'HOTEL'), coffee],
      [coffee, coffee, bought('03-06', 'TAXI')],
    ]).kinds[1],
  ).toEqual(['unsure', 'new', 'new'])
})

test('another name on the same day is another purchase, and unsure where the file should name the one that is known', () => {
  const others = [bought('03-01', 'HOTEL', { amount_minor: 1 }), bought('03-09', 'TAXI', { amount_minor: 2 })]
  expect(importEach([[bought('03-04', 'PADARIA')], [bought('03-04', 'LIVRARIA')]]).kinds[1]).toEqual(['new'])
  expect(importEach([[bought('03-04', 'PADARIA')], [bought('03-04', 'LIVRARIA'), ...others]]).kinds[1]).toEqual(['unsure', 'new', 'new'])
})

test('a pending purchase that is posted on another day, or with a tip under its reference, is unsure', () => {
  const [hotel, taxi] = [bought('03-01', 'HOTEL', { amount_minor: 1 }), bought('03-09', 'TAXI', { amount_minor: 2 })]
  expect(
    importEach([
      [hotel, bought('03-04', 'CANTINA')],
      [hotel, bought('03-06', 'CANTINA'), taxi],
    ]).kinds[1],
  ).toMatchObject({ 1: 'unsure', 2: 'new' })
  const reference = 'A2026030400417'
  const tipped = bought('03-05', 'CANTINA', { reference, amount_minor: 27_500 })
  expect(importEach([[bought('03-04', 'CANTINA', { reference })], [tipped]]).kinds[1]).toEqual(['unsure'])
})

test('the day on which both files begin is that of one statement', () => {
  const coffee = bought('03-04', 'COFFEE')
  expect(
    importEach([
      [coffee, bought('03-06', 'HOTEL'), bought('03-09', 'TAXI')],
      [coffee, bought('03-06', 'HOTEL')],
    ]).kinds[1]?.[0],
  ).toBe('known')
})

test.each([
  ['LAPTOP 1/3', 'LAPTOP 2/3', 'contrary'],
  ['LOJA PARC 02/10', 'LOJA PARC 03/10', 'contrary'],
  ['LOJA 2 de 10', 'Loja 02/10', 'alike'],
  ['CAFÉ SÃO JOÃO', 'Cafe Sao  Joao', 'same'],
  ['COFFEE', 'Coffee House, Lisboa', 'alike'],
  ['PAG*PADARIAREAL', 'PADARIA REAL', 'alike'],
  ['MERCADO LIVRE COMPRAS', 'MERCADO LIV', 'alike'],
  ['MÜLLER STRASSE', 'MUELLER STRAßE', 'alike'],
  ['POSTO 12', 'POSTO 13', 'other'],
  ['POSTO 1', 'POSTO 12', 'other'],
  ['SHOP A', 'SHOP B', 'other'],
  ['LAPTOP', 'MONITOR', 'other'],
  ['UBER TRIP', 'UBER EATS', 'other'],
])('%s and %s are %s', (one, other, relation) => {
  expect(relateTexts(readText(one), readText(other))).toBe(relation)
  expect(relateTexts(readText(other), readText(one))).toBe(relation)
})

test('a line that is posted with another amount than when it was pending may be its first one, and is not added next to it', () => {
  const of = (amount_minor: number) =>
    [500, 990, amount_minor, 1250, 700].map((amount, at) => ({
      ...{ day: dayOf(at), amount_minor: amount, currency: 'BRL', text: at === 2 ? 'BISTRO NOVE' : `SHOP ${at}`, reference: null },
    }))
  const { stored, kinds } = importEach([of(4000), of(4600)])
  expect(kinds[1]?.[2]).toBe('unsure')
  expect(sumsOf(stored)).toEqual(sumsOf(of(4000)))
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComparedLine, type StoredLine, plainText, planLines, referenceOf } from '#shared/domain/statements/known-lines'

/** The lines that a card has after some statements, in the order in which they are imported. */
function importAll(statements: ReadonlyArray<readonly ComparedLine[]>): StoredLine[] {
  const stored: StoredLine[] = []
  for (const statement of statements) {
    const ids = planLines(statement, stored)
    for (const [index, { reference: _reference, ...line }] of statement.entries()) {
      const external_id = ids[index]
      if (external_id != null) stored.push({ ...line, external_id })
    }
  }
  return stored
}

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
      if (references === 'changed' && lines.length < 2) return
      expect(importAll([first, again])).toHaveLength(lines.length)
    }),
    { numRuns: 500 },
  )
})

test('two equal coffees on a day are two lines', () => {
  const coffee = { day: '2026-03-04', amount_minor: 500, currency: 'BRL', text: 'COFFEE', reference: null }
  expect(planLines([coffee, coffee], [])).toEqual(['f:2026-03-04:BRL500:coffee', 'f:2026-03-04:BRL500:coffee~2'])
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

/** The rule as one would say it, each line compared with each stored one. */
function planSimply(incoming: readonly ComparedLine[], stored: readonly StoredLine[]): Array<string | null> {
  const lines = incoming.map((line) => ({ ...line, reference: line.reference?.trim() || null }))
  const left = stored.map((line) => ({ ...line, reference: referenceOf(line.external_id) }))
  const held = [...left]
  const isOfSum = (one: ComparedLine, line: ComparedLine) => one.amount_minor === line.amount_minor && one.currency === line.currency
  const isSame = (one: ComparedLine, line: ComparedLine) => isOfSum(one, line) && one.day === line.day
  const isMoved = (one: ComparedLine, line: ComparedLine) =>
    isOfSum(one, line) && (line.reference ?? '').length > 7 && Math.abs(Date.parse(one.day) - Date.parse(line.day)) <= 5 * 86_400_000
  const known = held.filter(({ reference }) => reference !== null)
  const named = (line: ComparedLine) => known.filter(({ reference }) => reference === line.reference)
  const told = lines.filter(({ reference }) => reference !== null)
  const same = told.filter((line) => named(line).some((one) => isSame(one, line)))
  const reused = told.filter((line) => named(line).length > 0 && !named(line).some((one) => isSame(one, line) || isMoved(one, line)))
  const ofDay = (list: readonly ComparedLine[], day: string) => list.filter((line) => line.day === day)
  const sums = (list: readonly ComparedLine[]) =>
    list
      .map((line) => `${line.currency} ${line.amount_minor}`)
      .toSorted()
      .join()
  const alike = lines.filter(({ day }) => sums(ofDay(lines, day)) === sums(ofDay(known, day)))
  const isNumbering = told.every(({ reference }) => /^\d{1,7}$/.test(reference ?? '') && Number(reference) <= lines.length + 1)
  const isTrusted = !isNumbering && reused.length <= same.length && (same.length > 0 || alike.length < 2)
  const ids = new Set(stored.map(({ external_id }) => external_id))
  const states = lines.map(() => false)
  const claimEach = (fits: (one: (typeof left)[number], line: (typeof lines)[number], isTold: boolean) => boolean) => {
    for (const [index, line] of lines.entries()) {
      const at = states[index] ? -1 : left.findIndex((one) => fits(one, line, isTrusted && line.reference !== null))
      if (at === -1) continue
      left.splice(at, 1)
      states[index] = true
    }
  }
  claimEach((one, line, isTold) => isTold && one.reference === line.reference && isSame(one, line))
  claimEach((one, line, isTold) => isTold && one.reference === line.reference && isMoved(one, line))
  claimEach((one, line, isTold) => !isTold && one.reference !== null && one.reference === line.reference && isSame(one, line))
  claimEach((one, line, isTold) => !(isTold && one.reference !== null) && isSame(one, line) && plainText(one.text) === plainText(line.text))
  claimEach((one, line, isTold) => !(isTold && one.reference !== null) && isSame(one, line))
  return lines.map((line, index) => {
    if (states[index]) return null
    const base =
      line.reference === null ? `f:${line.day}:${line.currency}${line.amount_minor}:${plainText(line.text)}` : `r:${line.reference}`
    const places = [base, ...Array.from({ length: ids.size }, (_, at) => `${base}~${at + 2}`)]
    const id = places.find((one) => !ids.has(one)) ?? ''
    ids.add(id)
    return id
  })
}

test('whatever is known, lines get what the rule gives them when each is compared with each', () => {
  const line = fc.record({
    day: fc.nat({ max: 8 }).map(dayOf),
    amount_minor: fc.constantFrom(500, 500, 1250),
    currency: fc.constantFrom('BRL', 'BRL', 'BRL', 'USD'),
    text: fc.constantFrom('COFFEE', 'Coffee ', 'TEA'),
    reference: fc.constantFrom(null, null, '1', '2', '1~2', 'A2026030400417', 'A2026030400417', 'B2026030400417', 'B2026030400417~2'),
  })
  const statements = fc.array(fc.array(line, { maxLength: 12 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(statements, (all) => {
      const stored = importAll(all.slice(0, -1))
      const last = all.at(-1) ?? []
      expect(planLines(last, stored)).toEqual(planSimply(last, stored))
    }),
    { numRuns: 1_000 },
  )
})

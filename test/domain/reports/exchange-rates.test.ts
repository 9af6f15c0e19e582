import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addConverted, formatRate, parseRate, roundHalfEven } from '#shared/domain/reports/exchange-rates'
import { keepRates, readKeptRates } from '#shared/domain/reports/kept-rates'
import { longestSheet, readRates, toSheets } from '#shared/domain/reports/rate-sheets'
import { findRate, toBooks } from '#shared/domain/reports/rate-table'

const rateText = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 9999 }))
  .map(([a, b]) => `${a}.${String(b).padStart(4, '0')}`)
const currency = fc.constantFrom('BRL', 'USD', 'JPY', 'KWD')
const exponent = { BRL: 2, USD: 2, JPY: 0, KWD: 3, EUR: 2 } as const

test('an amount is converted exactly and rounded once, half to even, whatever the order', () => {
  const part = fc.record({ amount_minor: fc.integer({ min: 1, max: 10 ** 12 }), currency, text: rateText })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), fc.constantFrom('EUR', 'JPY', 'KWD'), (parts, to) => {
      const converted = parts.map(({ text, ...rest }) => ({ ...rest, rate: parseRate(text) }))
      const scale = 10n ** 20n
      const scaled = parts.reduce((sum, { amount_minor, currency: from, text }) => {
        const shift = BigInt(exponent[to as 'EUR'] - exponent[from as 'BRL']) + 20n - 4n
        return sum + BigInt(amount_minor) * BigInt(text.replace('.', '')) * 10n ** shift
      }, 0n)
      const exact = Number(roundHalfEven({ numerator: scaled, denominator: scale }))
      expect(addConverted(converted, to)).toBe(exact)
      expect(addConverted(converted.toReversed(), to)).toBe(exact)
    }),
  )
})

test('halves go to the even neighbour, on both sides of zero', () => {
  const round = (twice: bigint) => roundHalfEven({ numerator: twice, denominator: 2n })
  expect([1n, 3n, 5n, -1n, -3n, -5n, 4n].map(round)).toEqual([0n, 2n, 2n, 0n, -2n, -2n, 2n])
})

test('the same currency changes nothing; there and back is the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), rateText, (amount_minor, text) => {
      expect(addConverted([{ amount_minor, currency: 'BRL' }], 'BRL')).toBe(amount_minor)
      const books = toBooks([{ source: 'hand', currency: 'BRL', rates: ratesOf('hand', `2026-01-01 USD ${text}`) }])
      const there = findRate(books, { from: 'USD', to: 'BRL', day: '2026-01-02' })?.rate
      const back = findRate(books, { from: 'BRL', to: 'USD', day: '2026-01-02' })?.rate
      expect([there?.numerator, there?.denominator]).toEqual([back?.denominator, back?.numerator])
    }),
  )
})

const ecb = 'Date,USD,JPY,BRL,XYZ,\n2026-03-06,1.0844,162.27,5.4163,9,\n2026-03-05,1.0834,N/A,5.3936,9,\n'
const bcb = '05032026;220;A;USD;4,9790;4,9796;1,0000;1,0000\n06032026;220;A;USD;4,9544;4,9550;1,0000;1,0000\n06032026;xxx;A;ZZZ;1,0;1,0;1;1'

test('files of both banks are read as they are published', () => {
  expect(readRates('ecb', ecb)).toMatchObject({ kind: 'ok', rates: { length: 5 } })
  expect(readRates('bcb', bcb)).toMatchObject({ kind: 'ok', rates: [{ day: '2026-03-05', currency: 'USD' }, { day: '2026-03-06' }] })
  const books = toBooks([
    { source: 'ecb', currency: 'EUR', rates: ratesOf('ecb', ecb) },
    { source: 'bcb', currency: 'BRL', rates: ratesOf('bcb', bcb) },
  ])
  const rate = (from: string, to: string, day: string) => {
    const found = findRate(books, { from, to, day })
    return found && [formatRate(found.rate), found.day, found.source]
  }
  expect(rate('USD', 'BRL', '2026-03-06')).toEqual(['4.955', '2026-03-06', 'bcb'])
  // Over the weekend, and across the euro.
  expect(rate('USD', 'BRL', '2026-03-08')).toEqual(['4.955', '2026-03-06', 'bcb'])
  expect(rate('USD', 'JPY', '2026-03-08')).toEqual(['149.64035411', '2026-03-06', 'ecb'])
  expect(rate('USD', 'EUR', '2026-03-05')?.[2]).toBe('ecb')
  expect(rate('USD', 'BRL', '2026-03-04')).toBeUndefined()
  expect(rate('USD', 'BRL', '2026-03-17')).toBeUndefined()
  expect(rate('CHF', 'BRL', '2026-03-06')).toBeUndefined()
})

test('a rate between two currencies of a bank is of one day, the last on which it published both', () => {
  const text = 'Date,JPY,BRL\n2026-03-09,N/A,5.30\n2026-03-06,160,5.20'
  const books = toBooks([{ source: 'ecb', currency: 'EUR', rates: ratesOf('ecb', text) }])
  const found = findRate(books, { from: 'JPY', to: 'BRL', day: '2026-03-09' })
  expect(found && [formatRate(found.rate), found.day]).toEqual(['0.0325', '2026-03-06'])
  const entered = toBooks([{ source: 'hand', currency: 'BRL', rates: ratesOf('hand', '2026-01-01 USD 5\n2026-02-01 JPY 0.04') }])
  expect(findRate(entered, { from: 'USD', to: 'JPY', day: '2026-03-01' })?.day).toBe('2026-01-01')
})

function ratesOf(source: 'ecb' | 'bcb' | 'hand', text: string) {
  const read = readRates(source, text)
  if (read.kind !== 'ok') throw new Error(`line ${read.line}`)
  return read.rates
}

test('what is no rate is refused with its line', () => {
  expect(readRates('hand', '2026-03-01 USD 5.40\n2026-02-30 USD 5')).toEqual({ kind: 'wrong', line: 2 })
  expect(readRates('hand', '2026-03-01 USD 0')).toEqual({ kind: 'wrong', line: 1 })
  expect(readRates('hand', '')).toEqual({ kind: 'wrong', line: 1 })
  expect(readRates('ecb', 'Datum,USD\n2026-03-01,1')).toEqual({ kind: 'wrong', line: 1 })
  expect(readRates('bcb', '99992026;220;A;USD;4,9790;4,9796;1;1')).toEqual({ kind: 'wrong', line: 1 })
})

test('a published file is cut into sheets that hold all of its rates, each short enough', () => {
  const head = `Date,${Array.from({ length: 30 }, () => 'USD').join(',')}`
  const lines = Array.from({ length: 400 }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 - index)).toISOString().slice(0, 10)
    return `${day},${Array.from({ length: 30 }, () => '1234.5678').join(',')}`
  })
  const sheets = toSheets('ecb', [head, ...lines].join('\n'), { months: 1000 })
  expect(sheets.every(({ rates }) => rates.length <= longestSheet && readRates('ecb', rates).kind === 'ok')).toBe(true)
  expect(sheets.flatMap(({ rates }) => rates.split('\n').slice(1))).toHaveLength(400)
  expect(new Set(sheets.map(({ name }) => name)).size).toBe(sheets.length)
  expect(toSheets('bcb', bcb.split('\n').slice(0, 2).join('\n'), { months: 1 })).toMatchObject([{ name: 'BCB 2026-03 USD' }])
})

test('a closed month keeps every rate that a conversion of one of its days can use', () => {
  const anyDay = fc.integer({ min: -420, max: 120 }).map((days) => new Date(Date.UTC(2026, 2, 1 + days)).toISOString().slice(0, 10))
  const lines = fc.uniqueArray(fc.tuple(anyDay, fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })), {
    minLength: 1,
    maxLength: 12,
    selector: ([day]) => day,
  })
  const texts = {
    hand: (of: string, [day, a]: readonly [string, number, number]) => `${day} ${of} ${a}.5`,
    ecb: (_of: string, [day, a, b]: readonly [string, number, number]) => `${day},${b % 3 === 0 ? 'N/A' : `${a}.25`},${b}`,
    bcb: (of: string, [day, a]: readonly [string, number, number]) =>
      `${day.slice(8)}${day.slice(5, 7)}${day.slice(0, 4)};220;A;${of};1;${a},5;1;1`,
  }
  const sheet = fc
    .tuple(fc.constantFrom('hand', 'ecb', 'bcb'), fc.constantFrom('USD', 'JPY'), lines)
    .map(([source, of, own]) => ({
      source,
      currency: source === 'ecb' ? 'EUR' : 'BRL',
      rates: [...(source === 'ecb' ? ['Date,JPY,USD'] : []), ...own.map((line) => texts[source](of, line))].join('\n'),
    }))
  const toBooksOf = (sheets: ReadonlyArray<{ source: 'hand' | 'ecb' | 'bcb'; currency: string; rates: string }>) =>
    toBooks(sheets.map(({ source, currency: base, rates }) => ({ source, currency: base, rates: ratesOf(source, rates) })))
  fc.assert(
    fc.property(fc.array(sheet, { maxLength: 4 }), currency, currency, fc.integer({ min: 1, max: 31 }), (sheets, from, to, of) => {
      fc.pre(from !== to)
      const kept = keepRates(sheets, '2026-03')
      const asked = { from, to, day: `2026-03-${String(of).padStart(2, '0')}` }
      expect(findRate(kept === null ? [] : toBooksOf(readKeptRates(kept)), asked)).toEqual(findRate(toBooksOf(sheets), asked))
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectDateOrder, detectDecimal, parseDay, parseDecimal } from '#main/tables/detect-values'

describe('the decimal sign of a column', () => {
  test.each([
    ['the last of two signs', ['1.234,56'], ',', ','],
    ['the other than a sign that comes twice', ['1,234,567'], ';', '.'],
    ['a sign before other than three digits', ['1.234', '1.5'], ';', '.'],
    ['a sign after more than three digits', ['1234,567'], ',', ','],
    ['a sign after a zero', ['0.125'], ';', '.'],
    ['the file with semicolons, where no cell tells', ['1.234', '5'], ';', ','],
    ['any other file, where no cell tells', ['1,234', '5'], '\t', '.'],
    ['nine in ten', [...Array<string>(9).fill('1,5'), '1.5'], ',', ','],
    ['nobody, where fewer agree', ['1,5', '2,5', '1.5'], ';', undefined],
  ] as const)('is told by %s', (_, cells, delimiter, expected) => {
    expect(detectDecimal(cells, delimiter)).toBe(expected)
  })
})

describe('an amount', () => {
  test.each([
    ['6000', ',', '6000'],
    ['1.234,50', ',', '1234.50'],
    [',5', ',', '0.5'],
    ['-0012,30', ',', '-12.30'],
    ['1 234 567,8', ',', '1234567.8'],
    ["1'234.5", '.', '1234.5'],
    ['+7', '.', '7'],
    ['1.234', ',', '1234'],
    ['1.50', ',', undefined],
    ['1,23,456', '.', undefined],
    ['1.234 567', ',', undefined],
    ['12a', '.', undefined],
    ['', ',', undefined],
    ['.', '.', undefined],
    ['-', '.', undefined],
    ['5,', ',', undefined],
    ['1e3', '.', undefined],
  ] as const)('%j with decimals after %j is %j', (text, decimal, expected) => {
    expect(parseDecimal(text, decimal)).toBe(expected)
  })

  test('is the same however it is grouped', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 15n })
    fc.assert(
      fc.property(cents, fc.constantFrom(['pt-BR', ','] as const, ['en-US', '.'] as const), (amount, [locale, sign]) => {
        const fraction = String(amount % 100n).padStart(2, '0')
        const written = `${(amount / 100n).toLocaleString(locale)}${sign}${fraction}`
        expect(parseDecimal(written, sign)).toBe(`${String(amount / 100n)}.${fraction}`)
        expect(detectDecimal([written], ';')).toBe(sign)
      }),
    )
  })
})

describe('the date order of a column', () => {
  test.each([
    ['a first part above 12', ['03/01/2022', '31/01/2022'], ',', 'dmy'],
    ['a second part above 12', ['03/01/2022', '1/31/2022'], ';', 'mdy'],
    ['years written first', ['2022-01-03'], ',', 'ymd'],
    ['the file with semicolons, where no cell tells', ['03/01/2022'], ';', 'dmy'],
    ['nobody, in any other file where no cell tells', ['03/01/2022'], ',', undefined],
    ['either, where both parts are equal', ['05/05/2022'], ',', 'dmy'],
    ['nobody, where cells disagree', ['31/01/2022', '01/31/2022'], ';', undefined],
  ] as const)('is told by %s', (_, cells, delimiter, expected) => {
    expect(detectDateOrder(cells, delimiter)).toBe(expected)
  })
})

describe('a day', () => {
  test.each([
    ['03/01/2022', 'dmy', '2022-01-03'],
    ['03/01/2022', 'mdy', '2022-03-01'],
    ['3.1.2022', 'dmy', '2022-01-03'],
    ['2022-01-03', 'dmy', '2022-01-03'],
    ['2022-01-03T23:30:00.000-03:00', 'ymd', '2022-01-03'],
    ['03/01/2022 10:15', 'dmy', '2022-01-03'],
    ['29/02/2024', 'dmy', '2024-02-29'],
    ['29/02/2023', 'dmy', undefined],
    ['31/04/2022', 'dmy', undefined],
    ['12/31/2022', 'dmy', undefined],
    ['03/01/22', 'dmy', undefined],
    ['03/01/2022', 'ymd', undefined],
    ['00/01/2022', 'dmy', undefined],
    ['3/1-2022', 'dmy', undefined],
    ['', 'dmy', undefined],
  ] as const)('%j in the order %s is %j', (text, order, expected) => {
    expect(parseDay(text, order)).toBe(expected)
  })
})

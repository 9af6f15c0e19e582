import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aheadOf, dayOf, parseDateInput } from '../../../src-renderer/state/date-input'

const today = '2024-01-15'
const read = (text: string, day = today) => {
  const parsed = parseDateInput(text, day)
  return parsed.kind === 'ok' ? parsed.date : parsed.kind
}

test.each([
  ['3', '2024-01-03'],
  ['15', '2024-01-15'],
  ['16', '2023-12-16'],
  ['31', '2023-12-31'],
  ['3/1', '2024-01-03'],
  ['03/01', '2024-01-03'],
  ['3.1', '2024-01-03'],
  ['20/1', '2023-01-20'],
  ['25/12', '2023-12-25'],
  ['29/2', '2020-02-29'],
  ['3/1/24', '2024-01-03'],
  ['3/1/2025', '2025-01-03'],
  ['2024-01-03', '2024-01-03'],
  ['3 jan', '2024-01-03'],
  ['3 de janeiro', '2024-01-03'],
  ['jan 3', '2024-01-03'],
  ['3 january 2022', '2022-01-03'],
  ['3 de março de 2022', '2022-03-03'],
  ['dec 24', '2023-12-24'],
  ['today', '2024-01-15'],
  ['hoje', '2024-01-15'],
  ['yesterday', '2024-01-14'],
  ['Ontem', '2024-01-14'],
  ['anteontem', '2024-01-13'],
  ['tomorrow', '2024-01-16'],
  ['amanhã', '2024-01-16'],
  ['Amanha', '2024-01-16'],
  ['mañana', '2024-01-16'],
  ['hoy', '2024-01-15'],
  ['Ayer', '2024-01-14'],
  ['anteayer', '2024-01-13'],
  ['miércoles', '2024-01-10'],
  ['mar', '2024-01-09'],
  ['3 de enero', '2024-01-03'],
  ['24 dic', '2023-12-24'],
  ['30 de septiembre de 2022', '2022-09-30'],
  ['1 ago del 2022', '2022-08-01'],
  ['friday', '2024-01-12'],
  ['sexta-feira', '2024-01-12'],
  ['sábado', '2024-01-13'],
  ['monday', '2024-01-08'],
  ['seg', '2024-01-08'],
])('%s is %s', (text, date) => {
  expect(read(text)).toBe(date)
})

test('a day that some months do not have is the nearest earlier one', () => {
  expect(read('31', '2024-03-05')).toBe('2024-01-31')
  expect(read('30', '2024-03-05')).toBe('2024-01-30')
})

test.each(['', ' '])('%j is empty', (text) => expect(read(text)).toBe('empty'))
test.each(['0', '32', '30/2', '3/13', 'soon', '2023-02-30', '3/1/199', '3 foo', '3 jan 4'])('%s is not a day', (text) =>
  expect(read(text)).toBe('not_a_date'),
)

test('a day without a year is never in the future', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 12 }), (day, month) => {
      for (const text of [`${day}`, `${day}/${month}`]) {
        const date = read(text)
        if (date !== 'not_a_date') expect(date <= today).toBe(true)
      }
    }),
  )
})

test.each([
  ['2023-12-31', 'past'],
  [today, 'past'],
  ['2024-01-16', 'near'],
  ['2024-01-22', 'near'],
  ['2024-01-23', 'far'],
  ['2031-01-03', 'far'],
])('%s is in the %s', (date, ahead) => expect(aheadOf(date, today)).toBe(ahead))

test('the day is that of the timezone', () => {
  expect(dayOf(new Date('2024-01-15T02:00:00Z'), 'America/Sao_Paulo')).toBe('2024-01-14')
  expect(dayOf(new Date('2024-01-15T02:00:00Z'), 'Asia/Tokyo')).toBe('2024-01-15')
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseInstant, toInstant } from '#shared/domain/dates'

const dates = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })

describe('parseInstant', () => {
  it.each([
    ['2026-03-04', '2026-03-04T00:00:00Z'],
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07Z'],
    ['2026-03-04T05:06:07', '2026-03-04T05:06:07Z'],
    ['2026-03-04T05:06', '2026-03-04T05:06:00Z'],
    ['2026-03-04T05:06:07.999Z', '2026-03-04T05:06:07Z'],
    ['2026-03-04T22:06:07-03:00', '2026-03-05T01:06:07Z'],
    ['2026-03-04T05:06:07+0530', '2026-03-03T23:36:07Z'],
    ['2026-03-04T05:06:07.5+01', '2026-03-04T04:06:07Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2000-02-29', '2000-02-29T00:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('reads %s as %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant)
  })

  it.each([
    '2023-02-30',
    '2023-02-29',
    '1900-02-29',
    '2023-04-31',
    '2023-13-01',
    '2023-00-10',
    '2023-01-00',
    '2023-01-32',
    '2023-01-01T25:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T10:60:00Z',
    '2023-01-01T10:00:60Z',
    '2023-01-01T10:00:00+24:00',
    '2023-01-01T10:00:00+10:60',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01',
    '2023-1-1',
    '01/02/2023',
    '20230101',
    '2023-01-01T',
    '2023-01-01Z',
    ' 2023-01-01',
    '2023-01-01\n',
    '',
    'today',
    20230101,
    null,
    undefined,
    new Date(0),
    ['2023-01-01'],
  ])('refuses %j', (value) => {
    expect(parseInstant(value)).toBeUndefined()
  })

  it('is idempotent: a canonical instant reads as itself', () => {
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseInstant(toInstant(date))).toBe(toInstant(date))
      }),
    )
  })

  it('reads the same moment whatever offset it is written with', () => {
    const moments = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moments, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19)
        const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0'))
        expect(parseInstant(`${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`)).toBe(toInstant(date))
      }),
    )
  })
})

describe('toInstant', () => {
  it('truncates milliseconds and rejects values that are not instants', () => {
    expect(toInstant(new Date('1969-12-31T23:59:59.999Z'))).toBe('1969-12-31T23:59:59Z')
    expect(() => toInstant(new Date(Number.NaN))).toThrow(RangeError)
    expect(() => toInstant(new Date('+010000-01-01T00:00:00Z'))).toThrow(RangeError)
  })
})

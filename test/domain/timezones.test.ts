import { expect, it } from 'vitest'

import { findTimezone, listTimezones } from '#shared/domain/timezones'

const describeAt = (name: string, instant: string) =>
  listTimezones(new Date(instant)).find((timezone) => timezone.name === name)?.description

it('shows the offset of the season', () => {
  expect(describeAt('America/New_York', '2026-01-15T00:00:00Z')).toBe('(GMT-05:00) America/New_York')
  expect(describeAt('America/New_York', '2026-07-15T00:00:00Z')).toBe('(GMT-04:00) America/New_York')
  expect(describeAt('Etc/UTC', '2026-07-15T00:00:00Z')).toBe('(GMT+00:00) Etc/UTC')
})

it('knows the names that it lists, and other names of the same', () => {
  const names = listTimezones(new Date('2026-01-15T00:00:00Z')).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.every((name) => findTimezone(name) === name)).toBe(true)
  expect(
    ['Asia/Kolkata', 'Asia/Calcutta', 'america/sao_paulo'].map(findTimezone).every((name) => name !== undefined && names.includes(name)),
  ).toBe(true)
})

it('knows no others', () => {
  expect(['', '+03:00', 'GMT-3', 'Mars/Olympus'].map(findTimezone)).toEqual([undefined, undefined, undefined, undefined])
})

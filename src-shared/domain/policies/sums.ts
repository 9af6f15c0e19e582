import type { PolicyPeriod } from '#shared/domain/policies/terms'

/** From an instant until another one (excluded), both `YYYY-MM-DDTHH:MM:SSZ`. */
export interface Span {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000
const startOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00Z`

/** The day, week (from Monday) or month of an instant, in UTC. */
export function spanOf(period: PolicyPeriod, instant: string): Span {
  const date = new Date(instant)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (period === 'month') return { from: startOf(utc(year, month, 1)), to: startOf(utc(year, month + 1, 1)) }
  const start = utc(year, month, day) - (period === 'week' ? ((date.getUTCDay() + 6) % 7) * dayMs : 0)
  return { from: startOf(start), to: startOf(start + (period === 'week' ? 7 : 1) * dayMs) }
}

// Date.UTC treats years below 100 as years of the twentieth century.
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}

const metres = { km: 1000, mi: 1609.344 } as const

/** A distance in whole metres; a mile has 1,609.344. */
export function toMetres(distance: number, kind: 'km' | 'mi'): number {
  return Math.round(distance * metres[kind])
}

/** Metres in another unit, to three decimals. */
export function fromMetres(length: number, kind: 'km' | 'mi'): number {
  return Math.round((length / metres[kind]) * 1000) / 1000
}

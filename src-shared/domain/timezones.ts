import { parseInstant } from './dates'

/** A timezone for users to choose. Contract 4.17. */
export type Timezone = {
  name: string
  /** Its current offset and name: `(GMT-03:00) America/Sao_Paulo`. */
  description: string
}

const names = [...new Set([...Intl.supportedValuesOf('timeZone'), 'Etc/UTC', 'UTC'])]
let listed: { hour: number; timezones: readonly Timezone[] } | undefined

/** The timezone of the list with this name or alias, as browsers use different names: `Asia/Kolkata`. */
export function findTimezone(name: string): string | undefined {
  if (names.includes(name)) return name
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return names.includes(timeZone) ? timeZone : undefined
  } catch {
    return undefined
  }
}

/** All timezones from west to east. Offsets change with the seasons, so the list is rebuilt every hour. */
export function listTimezones(now: Date): readonly Timezone[] {
  const hour = Math.floor(now.getTime() / 3_600_000)
  if (listed?.hour === hour) return listed.timezones
  const timezones = names
    .map((name) => ({ name, offset: offsetOf(name, now) }))
    .sort((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || (a.name < b.name ? -1 : 1))
    .map(({ name, offset }) => ({ name, description: `(GMT${offset}) ${name}` }))
  listed = { hour, timezones }
  return timezones
}

/** The instant of a local date and time, `YYYY-MM-DDTHH:MM:SS`, in a timezone of the list; undefined if it does not exist. */
export function instantIn(timeZone: string, local: string): string | undefined {
  const asUtc = parseInstant(local)
  if (asUtc === undefined) return undefined
  // Gets the offset near the instant, then at it: the clocks may change in between.
  const near = parseInstant(`${local}${offsetOf(timeZone, new Date(asUtc))}`)
  return near && parseInstant(`${local}${offsetOf(timeZone, new Date(near))}`)
}

/** The day (`YYYY-MM-DD`) and the hour (0 to 23) of an instant in a timezone. */
export function clockIn(timeZone: string, instant: Date): { readonly day: string; readonly hour: number } {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  }).formatToParts(instant)
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) }
}

function offsetOf(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
  return parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length) || '+00:00'
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

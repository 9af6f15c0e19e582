import { relateTexts } from '#shared/domain/statements/line-texts'
import type { Group, Held, Line } from '#shared/domain/statements/line-groups'
import { dayAfter } from '#shared/domain/statements/periods'

/** Whether a bank's references identify its lines: what a file and a card have in common shows it. */

/**
 * `none`: they number lines, or come again for others; `helpful`: equal ones mean the same line; `presumed`: different ones seem to mean different
 * lines; `lasting`: they do, as another file had equal ones.
 */
export type ReferenceUse = 'none' | 'helpful' | 'presumed' | 'lasting'

/** By how many days a posting may move under the same reference, or a pending one until it is posted. */
export const movedDays = 5
/** References up to this length are numbers within one statement. */
const shortReference = 7
/** How many stored lines of a reference are compared. */
const compared = 8

/** Whether references number the lines of a file, or of each of its days. */
function isNumbering(lines: readonly Line[]): boolean {
  return lines.every(({ reference, day }) => {
    if (reference === null) return true
    const [year = '', month = '', of = ''] = day.split('-')
    const rest = [year + month + of, of + month + year, year.slice(2) + month + of].reduce(
      (text, stamp) => (text === reference && text.includes(stamp) ? text.replace(stamp, '') : text),
      reference,
    )
    return /^\D?0*\d{1,7}$/.test(rest) && Number(rest.replaceAll(/\D/g, '')) <= lines.length + 1
  })
}

/** Whether a reference may name a line whose posting moved to another day. */
export const mayMove = (reference: string): boolean => reference.length > shortReference

const away = Array.from({ length: movedDays }, (_, index) => index + 1)
/** The days from which a posting on this day may have moved, nearest first. */
export const daysAround = (day: string): string[] => away.flatMap((days) => [dayAfter(day, -days), dayAfter(day, days)])

/** How references of a file may be used. `isCovered`: whether the file or the card has all lines of a line's day. */
export function useOfReferences(
  lines: readonly Line[],
  {
    groups,
    byReference,
    isCovered,
  }: { groups: Iterable<Group>; byReference: ReadonlyMap<string, readonly Held[]>; isCovered: (line: Line) => boolean },
): ReferenceUse {
  if (isNumbering(lines)) return 'none'
  const given = new Set(lines.map(({ reference }) => reference))
  const seen = { same: 0, reused: 0, changed: 0 }
  for (const { news, held } of groups) {
    const left = new Map<string, number>()
    let vanished = 0
    for (const { reference } of held) {
      if (reference === null) continue
      left.set(reference, (left.get(reference) ?? 0) + 1)
      if (!given.has(reference)) vanished += 1
    }
    let unknown = 0
    for (const line of news) {
      const { reference } = line
      if (reference === null) continue
      const count = left.get(reference) ?? 0
      left.set(reference, count - 1)
      if (count > 0) seen.same += 1
      else if (!byReference.has(reference)) unknown += 1
      else if (!isTold(line, byReference.get(reference) ?? [])) seen.reused += 1
    }
    const [first] = news
    if (first && isCovered(first)) seen.changed += Math.min(unknown, vanished)
  }
  if (seen.reused > seen.same) return 'none'
  if (seen.reused > 0 || seen.changed > 0) return 'helpful'
  return seen.same > 0 ? 'lasting' : 'presumed'
}

/** Whether a known reference is that of the same purchase: posted on another day, with another amount, or in another part. */
function isTold(line: Line, named: readonly Held[]): boolean {
  return named.slice(0, compared).some((held) => {
    const isMoved = held.amount_minor === line.amount_minor && held.currency === line.currency && daysAround(line.day).includes(held.day)
    return isMoved || relateTexts(line.text, held.text) !== 'other'
  })
}

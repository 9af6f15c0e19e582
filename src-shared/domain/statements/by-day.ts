/** Something with a day, in whole days since 1970. */
interface Dated {
  readonly day: number
}

/** The index of the first item of a day or later, in a list sorted by day. */
export function placeOf(sorted: readonly Dated[], day: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.day ?? 0) < day) low = middle + 1
    else high = middle
  }
  return low
}

/** A copy of the list, sorted by day. */
export function byDay<T extends Dated>(list: readonly T[]): T[] {
  return list.toSorted((one, other) => one.day - other.day)
}

/** Chance from a seed (mulberry32): the same seed gives the same choices on every machine. */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 to 1, 1 left out. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `limit`. */
  int(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(part: number): boolean {
    return this.next() < part
  }

  /** One of several; undefined of none. */
  maybe<T>(list: readonly T[]): T | undefined {
    return list[this.int(list.length)]
  }

  /** One of several, of which there is one at least. */
  pick<T>(list: readonly T[]): T {
    const [first] = list
    if (first === undefined) throw new Error('There is nothing to pick from.')
    return list[this.int(list.length)] ?? first
  }

  /** One of several, the heavier the likelier. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as Array<[T, number]>
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return this.pick(entries)[0]
  }

  /** A seed for choices of their own. */
  fork(): number {
    return Math.floor(this.next() * 2 ** 32)
  }
}

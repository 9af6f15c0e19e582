import type { Clock } from '#main/clock'
import { Random } from './random'

const yearMs = 365 * 24 * 60 * 60 * 1000

/** Time and chance from a seed: each reading moves it on, and a step of a history may move it by a year. */
export class SimClock implements Clock {
  readonly #random: Random
  #now: number
  #monotonic = 0
  /** How much the monotonic clock moves with each reading: more than a slice, and every operation has its own transaction. */
  readonly #stride: number
  constructor(seed: number, stride = 0.01) {
    this.#random = new Random(seed)
    this.#now = Date.UTC(2026, 2, 4, 12) + this.#random.int(3_600_000)
    this.#stride = stride
  }

  now(): Date {
    this.#now += 7
    return new Date(this.#now)
  }

  monotonicMs(): number {
    this.#monotonic += this.#stride
    return this.#monotonic
  }

  uid(): string {
    const time = Math.max(0, this.#now).toString(16).padStart(12, '0')
    const rest = this.secret(10)
    const variant = '89ab'.charAt(Number.parseInt(rest.charAt(3), 16) % 4)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`
  }

  secret(bytes: number): string {
    let text = ''
    while (text.length < bytes * 2)
      text += this.#random
        .int(2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, bytes * 2)
  }

  /** Moves the wall clock, as a person, a battery or a time server may. */
  move(years: number): void {
    this.#now += Math.round(years * yearMs)
  }
}

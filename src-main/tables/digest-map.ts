/** This many 32-bit words of a digest distinguish millions of texts. */
const keyWords = 3
/** The highest load, as searches then get longer, and the growth factor. */
const [mostFull, growth] = [0.8, 1.5]

/**
 * Maps digests to whole numbers below 2³², the first above 0, with 4 bytes for each number plus 12: a map of texts would keep a large file in memory.
 * Digests must be cryptographic, with at least twelve bytes.
 */
export class DigestMap {
  readonly #slotWords: number
  #slots: Uint32Array
  #count = 0

  /** `values`: how many numbers each digest has. */
  constructor(values: number) {
    this.#slotWords = keyWords + values
    this.#slots = new Uint32Array(1024 * this.#slotWords)
  }

  /** The numbers of a digest; zeros if there are none. */
  get(digest: Buffer): Uint32Array {
    const place = this.#placeOf(toKey(digest))
    return this.#slots.subarray(place + keyWords, place + this.#slotWords)
  }

  set(digest: Buffer, values: readonly number[]): void {
    const key = toKey(digest)
    const place = this.#placeOf(key)
    if (this.#slots[place + keyWords] === 0) this.#count += 1
    this.#slots.set(key, place)
    this.#slots.set(values, place + keyWords)
    if (this.#count * this.#slotWords > this.#slots.length * mostFull) this.#grow()
  }

  /** The place of a key, or where it would be inserted. */
  #placeOf(key: Uint32Array): number {
    const slots = this.#slots
    const words = this.#slotWords
    const count = slots.length / words
    for (let slot = (key[0] ?? 0) % count; ; slot = (slot + 1) % count) {
      const place = slot * words
      if (slots[place + keyWords] === 0) return place
      if (slots[place] === key[0] && slots[place + 1] === key[1] && slots[place + 2] === key[2]) return place
    }
  }

  #grow(): void {
    const old = this.#slots
    const words = this.#slotWords
    this.#slots = new Uint32Array(Math.ceil((old.length / words) * growth) * words)
    for (let place = 0; place < old.length; place += words) {
      const slot = old.subarray(place, place + words)
      if (slot[keyWords] !== 0) this.#slots.set(slot, this.#placeOf(slot))
    }
  }
}

/** The first words of a digest, which identify it. */
export function toKey(digest: Buffer): Uint32Array {
  return Uint32Array.of(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8))
}

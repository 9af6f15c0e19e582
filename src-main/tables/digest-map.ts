/** Of a digest, so many words of 32 bits tell millions of texts apart; one word more is what is remembered. */
const keyWords = 3
const slotWords = keyWords + 1

/**
 * Remembers a positive whole number below 2³² for each digest, in 16 bytes: a map of texts would keep a large file in memory.
 * Digests are of a cryptographic hash, twelve bytes or more.
 */
export class DigestMap {
  #slots = new Uint32Array(1024 * slotWords)
  #count = 0

  /** The number that was set for the digest; 0: none. */
  get(digest: Buffer): number {
    return this.#slots[this.#placeOf(toKey(digest)) + keyWords] ?? 0
  }

  set(digest: Buffer, value: number): void {
    const key = toKey(digest)
    if (this.#put(key, value)) this.#count += 1
    if (this.#count * slotWords * 1.5 > this.#slots.length) this.#grow()
  }

  /** Whether the digest is new. */
  #put(key: Uint32Array, value: number): boolean {
    const place = this.#placeOf(key)
    const isNew = this.#slots[place + keyWords] === 0
    this.#slots.set(key, place)
    this.#slots[place + keyWords] = value
    return isNew
  }

  /** Where the key is, or where it would be put. */
  #placeOf(key: Uint32Array): number {
    const slots = this.#slots
    const mask = slots.length / slotWords - 1
    let slot = (key[0] ?? 0) & mask
    for (; ; slot = (slot + 1) & mask) {
      const place = slot * slotWords
      if (slots[place + keyWords] === 0) return place
      if (slots[place] === key[0] && slots[place + 1] === key[1] && slots[place + 2] === key[2]) return place
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let place = 0; place < old.length; place += slotWords) {
      const value = old[place + keyWords] ?? 0
      if (value !== 0) this.#put(old.subarray(place, place + keyWords), value)
    }
  }
}

function toKey(digest: Buffer): Uint32Array {
  return Uint32Array.of(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8))
}

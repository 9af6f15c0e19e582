/** Which lines of a statement are known: by the bank's references if reliable, otherwise by day, amount and text. */

/** The compared values of a statement line. `day`: `YYYY-MM-DD`; `reference`: the bank's identity of it. */
export interface ComparedLine {
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
  readonly text: string
  readonly reference: string | null
}

/** A stored line; its `external_id` contains its reference, if any. */
export type StoredLine = Omit<ComparedLine, 'reference'> & { readonly external_id: string }

/** By how many days a posting may move under the same reference. */
const movedDays = 5
/** References up to this length are numbers within one statement. */
const shortReference = 7
const longestReference = 200
const longestText = 120
const msPerDay = 86_400_000

/** A text without case, punctuation and repeated spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The reference in an `external_id`; null if it has none. */
export function referenceOf(external_id: string): string | null {
  const [, reference] = /^r:([^]*?)(?:~\d+)?$/.exec(external_id) ?? []
  return reference ?? null
}

/** The `external_id` of each new line, in order; null for known ones. `stored`: the card's lines. */
export function planLines(incoming: readonly ComparedLine[], stored: readonly StoredLine[]): Array<string | null> {
  const lines = incoming.map((line) => ({ ...line, reference: cut(line.reference), plain: plainText(line.text) }))
  const known = new KnownLines(stored)
  const isTrusted = known.trustsReferences(lines)
  const states: Array<'known' | 'new' | undefined> = lines.map((line) => {
    if (line.reference === null || !isTrusted) return undefined
    return known.claimSame(line) ? 'known' : undefined
  })
  for (const [index, line] of lines.entries())
    if (states[index] === undefined && isTrusted && line.reference !== null && known.claimMoved(line)) states[index] = 'known'
  // Lines with equal texts match first.
  for (const way of ['reference', 'text', 'any'] as const)
    for (const [index, line] of lines.entries())
      if (states[index] === undefined && known.claimAlike(line, way, isTrusted && line.reference !== null)) states[index] = 'known'
  return lines.map((line, index) => (states[index] === 'known' ? null : known.newId(line)))
}

const cut = (reference: string | null) => {
  const plain = reference?.trim().slice(0, longestReference) ?? ''
  return plain === '' ? null : plain
}
const groupOf = ({ day, amount_minor, currency }: Pick<ComparedLine, 'day' | 'amount_minor' | 'currency'>) =>
  `${day} ${currency} ${amount_minor}`
/** Joins groups and places with a sign that days, currencies and amounts never contain. */
const keyOf = (...parts: readonly string[]) => parts.join('\n')

interface Held {
  /** Its place among the stored lines. */
  readonly place: number
  readonly reference: string | null
  isClaimed: boolean
}

/** Lines of one key in stored order. The first ones may be claimed by another key. */
class Queue {
  readonly #held: Held[] = []
  #from = 0

  add(held: Held): void {
    this.#held.push(held)
  }

  /** The first unclaimed line. */
  first(): Held | undefined {
    while (this.#held[this.#from]?.isClaimed === true) this.#from += 1
    return this.#held[this.#from]
  }
}

/** A card's lines, indexed by all keys, so that a new line is never compared with each of them. */
class KnownLines {
  readonly #queues = new Map<string, Queue>()
  readonly #references = new Set<string>()
  readonly #days = new Map<string, Array<StoredLine & Pick<Held, 'reference'>>>()
  readonly #ids: Set<string>
  /** For each base, the place from which on all are free. */
  readonly #places = new Map<string, number>()

  constructor(stored: readonly StoredLine[]) {
    this.#ids = new Set(stored.map(({ external_id }) => external_id))
    for (const [place, line] of stored.entries()) {
      const reference = referenceOf(line.external_id)
      const held: Held = { place, reference, isClaimed: false }
      const [group, plain] = [groupOf(line), plainText(line.text)]
      this.#add(held, 'any', group)
      this.#add(held, 'text', group, plain)
      add(this.#days, line.day, { ...line, reference })
      if (reference === null) {
        this.#add(held, 'any untold', group)
        this.#add(held, 'text untold', group, plain)
        continue
      }
      this.#add(held, 'reference', group, reference)
      this.#references.add(reference)
    }
  }

  #add(held: Held, ...key: readonly string[]): void {
    const queue = this.#queues.get(keyOf(...key)) ?? new Queue()
    this.#queues.set(keyOf(...key), queue)
    queue.add(held)
  }

  /**
   * Whether references identify lines: not if they number a statement's lines, if the bank gave known references to other bookings, or new ones to
   * all lines of known days. True if nothing tells. Call before claiming lines.
   */
  trustsReferences(lines: readonly ComparedLine[]): boolean {
    if (isNumbering(lines)) return false
    let same = 0
    let reused = 0
    for (const line of lines) {
      if (line.reference === null || !this.#references.has(line.reference)) continue
      if (this.#sameOf(line)) same += 1
      else if (!this.#movedOf(line)) reused += 1
    }
    if (reused > same) return false
    return same > 0 || !this.#isRenumbered(lines)
  }

  /** Whether at least two lines, and all of their days, are known with other references. */
  #isRenumbered(lines: readonly ComparedLine[]): boolean {
    const days = new Map<string, ComparedLine[]>()
    for (const line of lines) add(days, line.day, line)
    let alike = 0
    for (const [day, those] of days) {
      const held = (this.#days.get(day) ?? []).filter(({ reference }) => reference !== null)
      if (held.length !== those.length) continue
      const count = (list: ReadonlyArray<{ readonly amount_minor: number; readonly currency: string }>) =>
        list
          .map(({ amount_minor, currency }) => `${currency} ${amount_minor}`)
          .toSorted()
          .join()
      if (count(held) === count(those)) alike += held.length
    }
    return alike >= 2
  }

  #first(...key: readonly string[]): Held | undefined {
    return this.#queues.get(keyOf(...key))?.first()
  }

  #sameOf(line: ComparedLine): Held | undefined {
    return line.reference === null ? undefined : this.#first('reference', groupOf(line), line.reference)
  }

  /** The first line with this reference and amount on a day from which a posting may have moved. */
  #movedOf(line: ComparedLine): Held | undefined {
    const { reference } = line
    if (reference === null || reference.length <= shortReference) return undefined
    const held = daysAround(line.day).flatMap((day) => this.#first('reference', groupOf({ ...line, day }), reference) ?? [])
    return held.toSorted((one, other) => one.place - other.place)[0]
  }

  /** Claims a line with this reference, day and amount. */
  claimSame(line: ComparedLine): boolean {
    return claim(this.#sameOf(line))
  }

  /** Claims a line with this reference and amount that was posted some days earlier or later. */
  claimMoved(line: ComparedLine): boolean {
    return claim(this.#movedOf(line))
  }

  /** Claims a line with this day and amount; `isTold`: one without a reference, as others with references differ. */
  claimAlike(line: ComparedLine & { readonly plain: string }, way: 'reference' | 'text' | 'any', isTold: boolean): boolean {
    if (way === 'reference') return !isTold && claim(this.#sameOf(line))
    const kind = isTold ? `${way} untold` : way
    return claim(way === 'any' ? this.#first(kind, groupOf(line)) : this.#first(kind, groupOf(line), line.plain))
  }

  /** An unused id: from the reference, or from day, amount and text with a number among equals. */
  newId(line: ComparedLine & { readonly plain: string }): string {
    const base =
      line.reference === null
        ? `f:${line.day}:${line.currency}${line.amount_minor}:${line.plain.slice(0, longestText)}`
        : `r:${line.reference}`
    let place = this.#places.get(base) ?? 1
    const idAt = () => (place === 1 ? base : `${base}~${place}`)
    while (this.#ids.has(idAt())) place += 1
    this.#places.set(base, place)
    this.#ids.add(idAt())
    return idAt()
  }
}

/** The days from which a posting on this day may have moved. */
function daysAround(day: string): string[] {
  const number = Date.parse(`${day}T00:00:00Z`)
  return Array.from({ length: 2 * movedDays + 1 }, (_, at) => new Date(number + (at - movedDays) * msPerDay).toISOString().slice(0, 10))
}

/** Whether a statement's references number its lines. */
function isNumbering(lines: readonly ComparedLine[]): boolean {
  return lines.every(({ reference }) => reference === null || (/^\d{1,7}$/.test(reference) && Number(reference) <= lines.length + 1))
}

function claim(held: Held | undefined): boolean {
  if (held) held.isClaimed = true
  return held !== undefined
}

function add<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key)
  if (list) list.push(one)
  else lists.set(key, [one])
}

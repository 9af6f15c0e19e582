/** Which lines of a statement are known already: by the bank's references where these can be trusted, else by day, amount and text. */

/** A line of a statement as far as it is compared. `day`: `YYYY-MM-DD`; `reference`: the bank's own identity of it. */
export interface ComparedLine {
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
  readonly text: string
  readonly reference: string | null
}

/** A stored line: its `external_id` has the reference that it came with, if any. */
export type StoredLine = Omit<ComparedLine, 'reference'> & { readonly external_id: string }

/** A posting may move by as many days under the same reference. */
const movedDays = 5
/** References as short as this are numbers within one statement. */
const shortReference = 7
const longestReference = 200
const longestText = 120
const msPerDay = 86_400_000

/** A text without case, marks and double spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The reference that an `external_id` was made from; null for one without. */
export function referenceOf(external_id: string): string | null {
  const [, reference] = /^r:([^]*?)(?:~\d+)?$/.exec(external_id) ?? []
  return reference ?? null
}

/** The `external_id` for each line that is new, in their order; null for one that is known. `stored`: the lines of the card. */
export function planLines(incoming: readonly ComparedLine[], stored: readonly StoredLine[]): Array<string | null> {
  const lines = incoming.map((line) => ({ ...line, reference: cut(line.reference) }))
  const known = new KnownLines(stored)
  const isTrusted = known.trustsReferences(lines)
  const states: Array<'known' | 'new' | undefined> = lines.map((line) => {
    if (line.reference === null || !isTrusted) return undefined
    return known.claimSame(line) ? 'known' : undefined
  })
  for (const [index, line] of lines.entries())
    if (states[index] === undefined && isTrusted && line.reference !== null && known.claimMoved(line)) states[index] = 'known'
  // Equal texts find each other before different ones do.
  for (const way of ['reference', 'text', 'any'] as const)
    for (const [index, line] of lines.entries())
      if (states[index] === undefined && known.claimAlike(line, way, isTrusted && line.reference !== null))
        states[index] = 'known'
  return lines.map((line, index) => (states[index] === 'known' ? null : known.newId(line)))
}

const cut = (reference: string | null) => {
  const plain = reference?.trim().slice(0, longestReference) ?? ''
  return plain === '' ? null : plain
}
const groupOf = ({ day, amount_minor, currency }: Pick<ComparedLine, 'day' | 'amount_minor' | 'currency'>) =>
  `${day} ${currency} ${amount_minor}`
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / msPerDay

type Held = StoredLine & { readonly reference: string | null; readonly plain: string; isClaimed: boolean }

class KnownLines {
  readonly #groups = new Map<string, Held[]>()
  readonly #references = new Map<string, Held[]>()
  readonly #days = new Map<string, Held[]>()
  readonly #ids: Set<string>

  constructor(stored: readonly StoredLine[]) {
    this.#ids = new Set(stored.map(({ external_id }) => external_id))
    for (const line of stored) {
      const held = { ...line, reference: referenceOf(line.external_id), plain: plainText(line.text), isClaimed: false }
      add(this.#groups, groupOf(line), held)
      add(this.#days, line.day, held)
      if (held.reference !== null) add(this.#references, held.reference, held)
    }
  }

  /**
   * Whether references tell lines apart: not where they number the lines of a statement, where the bank gave known ones to other bookings, nor where it gave whole known days new ones.
   * Where nothing tells, they do.
   */
  trustsReferences(lines: readonly ComparedLine[]): boolean {
    if (isNumbering(lines)) return false
    let same = 0
    let reused = 0
    for (const line of lines) {
      const held = line.reference === null ? [] : (this.#references.get(line.reference) ?? [])
      if (held.some((one) => groupOf(one) === groupOf(line))) same += 1
      else if (held.length > 0 && !held.some((one) => isMoved(one, line))) reused += 1
    }
    if (reused > same) return false
    return same > 0 || !this.#isRenumbered(lines)
  }

  /** Whether at least two lines, all those of their days, are known under other references. */
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

  /** Takes a line with this reference, day and amount. */
  claimSame(line: ComparedLine): boolean {
    return claim(this.#references.get(line.reference ?? '')?.find((one) => !one.isClaimed && groupOf(one) === groupOf(line)))
  }

  /** Takes a line with this reference and amount that was posted some days off. */
  claimMoved(line: ComparedLine): boolean {
    return claim(this.#references.get(line.reference ?? '')?.find((one) => !one.isClaimed && isMoved(one, line)))
  }

  /** Takes a line of this day and amount; `isTold`: one without a reference, since those with others are others. */
  claimAlike(line: ComparedLine, way: 'reference' | 'text' | 'any', isTold: boolean): boolean {
    const plain = plainText(line.text)
    return claim(
      this.#groups.get(groupOf(line))?.find((one) => {
        if (one.isClaimed || (isTold && one.reference !== null)) return false
        if (way === 'reference') return one.reference !== null && one.reference === line.reference
        return way === 'any' || one.plain === plain
      }),
    )
  }

  /** An id that no line has yet: of its reference, or of its day, amount and text, with its place among equals. */
  newId(line: ComparedLine): string {
    const base =
      line.reference === null
        ? `f:${line.day}:${line.currency}${line.amount_minor}:${plainText(line.text).slice(0, longestText)}`
        : `r:${line.reference}`
    let id = base
    for (let place = 2; this.#ids.has(id); place += 1) id = `${base}~${place}`
    this.#ids.add(id)
    return id
  }
}

/** Whether the references of a statement count its lines. */
function isNumbering(lines: readonly ComparedLine[]): boolean {
  return lines.every(
    ({ reference }) => reference === null || (/^\d{1,7}$/.test(reference) && Number(reference) <= lines.length + 1),
  )
}

function isMoved(held: Held, line: ComparedLine): boolean {
  if ((line.reference ?? '').length <= shortReference) return false
  const isSameSum = held.amount_minor === line.amount_minor && held.currency === line.currency
  return isSameSum && Math.abs(dayNumber(held.day) - dayNumber(line.day)) <= movedDays
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

/** A made receipt: what is printed, and what it says. */

/** A row of text: its cells, each where it begins or ends, in columns of the paper. */
export interface PrintedRow {
  readonly cells: ReadonlyArray<{ readonly text: string; readonly at: number; readonly align: 'left' | 'right' | 'centre' }>
  /** Of its letters, by the usual height. */
  readonly size: number
}

/** What a receipt says; amounts in minor units. */
export interface Truth {
  readonly date: string
  readonly total: number
  readonly currency: string
  readonly supplier_name: string
  readonly supplier_tax_id: string | null
  readonly document_number: string | null
}

export interface Receipt {
  readonly rows: readonly PrintedRow[]
  readonly columns: number
  readonly truth: Truth
}

/** Numbers that look random, the same for one seed. */
export class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 12_345) >>> 0
  }
  /** From 0 to 1, without it. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }
  one<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new Error('Nothing to choose from')
    return item
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  digits(count: number): string {
    return Array.from({ length: count }, () => this.whole(0, 9)).join('')
  }
}

/** Collects the rows of a receipt. */
export class Paper {
  readonly rows: PrintedRow[] = []
  readonly columns: number
  constructor(columns: number) {
    this.columns = columns
  }
  centre(text: string, size = 1): void {
    this.rows.push({ cells: [{ text: this.#fit(text), at: this.columns / 2, align: 'centre' }], size })
  }
  left(text: string, size = 1): void {
    this.rows.push({ cells: [{ text: this.#fit(text), at: 0, align: 'left' }], size })
  }
  pair(label: string, value: string, { size = 1, at = this.columns }: { size?: number; at?: number } = {}): void {
    this.rows.push({
      cells: [
        { text: label, at: 0, align: 'left' },
        { text: value, at, align: 'right' },
      ],
      size,
    })
  }
  cells(cells: ReadonlyArray<readonly [text: string, at: number]>): void {
    this.rows.push({ cells: cells.map(([text, at]) => ({ text, at, align: at === 0 ? 'left' : 'right' })), size: 1 })
  }
  gap(): void {
    this.rows.push({ cells: [], size: 0.7 })
  }
  #fit(text: string): string {
    return text.slice(0, this.columns)
  }
}

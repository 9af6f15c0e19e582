import { exponentOf } from '#shared/domain/currencies'
import type { SheetCell } from '#main/tables/write-xlsx'
import type { ExportRow } from '../export-rows'
import { countedMinor } from '../exported-expense'

/** How many expenses there are in a currency, and their sum in minor units. */
export interface Sum {
  count: number
  minor: bigint
}

/** Sums by currency of what has one thing in common. Money of different currencies is never added. */
export type SumsByCurrency = Map<string, Sum>

/** Sums of an export, gathered while its rows pass. An expense with several tags counts under each. */
export class ExportSums {
  readonly claimed: SumsByCurrency = new Map()
  readonly counted: SumsByCurrency = new Map()
  readonly byTag = new Map<string, SumsByCurrency>()
  readonly byClaimant = new Map<string, SumsByCurrency>()
  count = 0

  add(row: ExportRow): void {
    const { amount_minor, currency } = row.expense
    const counted = countedMinor(row.expense)
    this.count += 1
    addTo(this.claimed, { amount_minor, currency })
    addTo(this.counted, counted)
    for (const tag of row.tags.length > 0 ? row.tags : ['']) addTo(groupOf(this.byTag, tag), counted)
    addTo(groupOf(this.byClaimant, row.receiver), counted)
  }

  /** The rows themselves, counted as they pass. */
  async *over(rows: AsyncIterable<ExportRow>): AsyncGenerator<ExportRow> {
    for await (const row of rows) {
      this.add(row)
      yield row
    }
  }

  /** Every currency of a counted amount, by code. */
  currencies(): string[] {
    return [...this.counted.keys()].toSorted()
  }
}

function groupOf(groups: Map<string, SumsByCurrency>, key: string): SumsByCurrency {
  const known = groups.get(key)
  if (known) return known
  const made: SumsByCurrency = new Map()
  groups.set(key, made)
  return made
}

/** Adds an amount in minor units to the sum of its currency. */
export function addTo(sums: SumsByCurrency, { amount_minor, currency }: { amount_minor: number; currency: string }): void {
  const sum = sums.get(currency)
  if (!sum) return void sums.set(currency, { count: 1, minor: BigInt(amount_minor) })
  sum.count += 1
  sum.minor += BigInt(amount_minor)
}

/** An amount in major units with the decimals of its currency. */
export function toAmountCell(value: SheetCell, currency: SheetCell): SheetCell {
  return typeof value === 'number' && typeof currency === 'string' ? { value, format: (0).toFixed(exponentOf(currency)) } : null
}

/** The sum of a currency, with its decimals. */
export function sumCell(sums: SumsByCurrency, currency: string): SheetCell {
  const sum = sums.get(currency)
  const digits = exponentOf(currency)
  return sum && { value: Number(sum.minor) / 10 ** digits, format: (0).toFixed(digits) }
}

/** The parts into which a line is split: those given, and what is left. Undefined unless each is above zero and they come to the line. */
export function splitOf(amount_minor: number, given: readonly number[]): readonly number[] | undefined {
  const parts = [...given, given.reduce((left, part) => left - part, amount_minor)]
  return given.length > 0 && parts.every((part) => Number.isSafeInteger(part) && part > 0) ? parts : undefined
}

/** The amount of an expense, and those of a line: what the card was charged and, of a purchase abroad, what the shop was paid. In minor units. */
interface Claim {
  readonly amount_minor: number
  readonly currency: string
}
interface Charge extends Claim {
  readonly original_amount_minor: number | null
  readonly original_currency: string | null
}

/**
 * What lines come to in a currency and what their expenses claim of it, in minor units. A claim in the other currency of the lines counts by their own
 * rate, one in a third currency not at all. Undefined in a third currency, and without a charge.
 */
export function compareWithLines(currency: string, { lines, expenses }: { lines: readonly Charge[]; expenses: readonly Claim[] }) {
  const sumIn = (wanted: string) => {
    const sums = lines.map(({ amount_minor, currency: own, original_amount_minor, original_currency }) => {
      if (own === wanted) return amount_minor
      return original_currency === wanted && original_amount_minor !== null
        ? Math.sign(amount_minor) * Math.abs(original_amount_minor)
        : undefined
    })
    return sums.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0)
  }
  const charged = sumIn(currency)
  if (charged === undefined || !lines.some(({ amount_minor }) => amount_minor > 0)) return undefined
  const claimed = expenses.reduce((sum, { amount_minor, currency: own }) => {
    const all = own === currency ? charged : sumIn(own)
    return own === currency ? sum + amount_minor : all ? sum + Math.round((amount_minor * charged) / all) : sum
  }, 0)
  return { charged, claimed }
}

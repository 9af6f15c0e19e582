import type { Features } from '#shared/readings/classify'
import type { Part } from '#shared/readings/rows'

/** An amount at its place, in hundredths; negative if a minus is printed. */
export type Found = Part & { readonly value: number; readonly match: RegExpMatchArray; readonly features: Features }

/** The most by which totals are rounded. */
const mostRounded = 4
/** The possible rates of a tax. */
const taxRates = { least: 0.02, most: 0.3 }

/** An amount minus the one directly below it: what was paid, if they are what was given and the change. */
interface Rest {
  readonly row: number
  readonly value: number
  readonly back: number
  readonly isNamed: boolean
}

/** All amounts of a receipt, the labelled ones, and their sums. */
export interface Known {
  readonly values: readonly number[]
  readonly found: readonly Found[]
  readonly tenders: ReadonlySet<number>
  readonly changes: ReadonlySet<number>
  readonly taxes: ReadonlySet<number>
  readonly subs: ReadonlySet<number>
  readonly totals: ReadonlySet<number>
  readonly roundings: readonly number[]
  readonly splits: ReadonlySet<number>
  readonly rests: readonly Rest[]
}

/** Collects the known amounts of a receipt, in the order of its rows; some shops print what was given as negative. */
export function knownOf(all: readonly Found[]): Known {
  const found = all.filter(({ value }) => value > 0)
  const called = (some: readonly Found[], ...names: readonly string[]) =>
    new Set(some.filter(({ features }) => names.some((name) => (features[name] ?? 0) > 0)).map(({ value }) => Math.abs(value)))
  return {
    values: [...new Set(found.map(({ value }) => value))],
    found,
    tenders: called(all, 'tender'),
    changes: called(all, 'change'),
    taxes: called(all, 'tax'),
    subs: called(all, 'sub', 'total'),
    totals: called(found, 'cleanTotal', 'cleanGrand'),
    roundings: [...called(all, 'onlyRounding')].filter((one) => one <= mostRounded),
    splits: splits(found),
    rests: rests(found),
  }
}

/** The evidence of other amounts for one. */
export function among(value: number, parts: readonly Found[], known: Known): Features {
  const { values, found, tenders, changes, taxes, subs, totals, roundings } = known
  const is = (isSo: boolean) => (isSo ? 1 : 0)
  const highest = values.reduce((most, one) => Math.max(most, one), 0)
  const firstRow = Math.min(...parts.map(({ row }) => row))
  const over = found.filter(({ row, features }) => row < firstRow && (features.last ?? 0) > 0)
  const isRoundedFrom = (from: number, to: number) => roundings.includes(Math.abs(from - to))
  const twins = values.filter((other) => other !== value && Math.abs(other - value) <= mostRounded && other >= 100)
  const isSumWithTax = (sum: number) => [...subs].some((sub) => sub !== value && sum - sub !== value && taxes.has(sum - sub))
  const near = [value, value - 1, value + 1]
  const unrounded = roundings.flatMap((one) => [value - one, value + one])
  return {
    times: Math.min(4, parts.length) / 4,
    highest: is(value === highest),
    nearHighest: is(value >= highest * 0.5),
    paid: is([...tenders].some((tender) => tender > value && changes.has(tender - value))),
    exact: is(tenders.has(value)),
    withTax: is(near.some(isSumWithTax)),
    given: is(parts.every(({ features }) => features.tender === 1 && features.total === 0) && [...totals].some((total) => total < value)),
    sum: is(sumsUp(over, value)),
    split: is(near.some((sum) => known.splits.has(sum))),
    splitRounded: is(unrounded.some((sum) => known.splits.has(sum) || isSumWithTax(sum))),
    givenBelow: is(known.rests.some((rest) => rest.row > firstRow && rest.value === value && rest.back !== value)),
    roundedOne: is(value % 5 === 0 && twins.some((twin) => twin % 5 !== 0)),
    exactOne: is(value % 5 !== 0 && twins.some((twin) => twin % 5 === 0)),
    rounded: is(unrounded.some((total) => totals.has(total))),
    unrounded: is(totals.has(value) && values.some((other) => other !== value && other % 5 === 0 && isRoundedFrom(value, other))),
    changeToo: is(changes.has(value)),
    aboveTender: is(!tenders.has(value) && [...tenders].some((tender) => tender < value)),
    tiny: is(value < 100),
  }
}

/** Whether at least two consecutive amounts directly above one add up to it. */
function sumsUp(over: readonly Found[], value: number): boolean {
  const latest = over.toReversed()
  for (let skipped = 0; skipped < Math.min(3, latest.length); skipped += 1) {
    let sum = 0
    for (const [at, one] of latest.slice(skipped).entries()) {
      sum += one.value
      // A subtotal and the only item are the same amount twice.
      const isTwice =
        2 * one.value === value && latest.some(({ value: other, features }) => other === one.value && (features.total ?? 0) > 0)
      if (sum === value && at > 0 && !isTwice) return true
      if (sum > value) break
    }
  }
  return false
}

/** The sums of nets and taxes in one row, and of a tax table's rows together. */
function splits(found: readonly Found[]): ReadonlySet<number> {
  const rows = [...Map.groupBy(found, ({ row }) => row).values()]
  const ofRows = rows.flatMap((row) =>
    row.slice(1).flatMap((tax, at) => {
      const net = row[at]?.value ?? 0
      return tax.value >= net * taxRates.least && tax.value <= net * taxRates.most ? [net + tax.value] : []
    }),
  )
  let sum = 0
  const ofTable = rows
    .filter(([first]) => (first?.features.underSummary ?? 0) > 0 && (first?.features.total ?? 0) === 0)
    .map((row) => (sum += row.reduce((all, { value }) => all + value, 0)))
  return new Set([...ofRows, ...ofTable.slice(1)])
}

function rests(found: readonly Found[]): Rest[] {
  const rows = Map.groupBy(found, ({ row }) => row)
  const isNamed = (given: Found, back: Found) => (given.features.tender ?? 0) > 0 && (back.features.change ?? 0) > 0
  return found.flatMap((given) =>
    [1, 2]
      .flatMap((below) => rows.get(given.row + below) ?? [])
      .filter((back) => back.value < given.value)
      .map((back) => ({ row: given.row, value: given.value - back.value, back: back.value, isNamed: isNamed(given, back) })),
  )
}

/** The probable amount behind one with a misread digit: what was given minus the change, or net plus tax. */
export function misreadFrom(known: Known): Array<{ readonly value: number; readonly parts: readonly Found[] }> {
  const paid = known.rests.filter(({ isNamed }) => isNamed).map(({ value }) => value)
  const meant = new Set([...paid, ...known.splits].filter((value) => !known.values.includes(value)))
  return [...meant].flatMap((value) => {
    const parts = known.found.filter(
      (one) =>
        (one.features.total ?? 0) + (one.features.grand ?? 0) > 0 &&
        Math.abs(one.value - value) > mostRounded &&
        differsByOne(String(one.value), String(value)),
    )
    return parts.length === 0 ? [] : [{ value, parts }]
  })
}

function differsByOne(one: string, other: string): boolean {
  return one.length === other.length && [...one].filter((sign, at) => sign !== other[at]).length === 1
}

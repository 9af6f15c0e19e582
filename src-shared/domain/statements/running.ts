/** How lines lead from one balance to the next, in exact integers. */

/** A line in file order: its amount, and the balance after it if the file gives one. */
export interface Step {
  readonly amount: number
  readonly balance: number | null
}

/** A place where lines do not lead to the balance: `index` of the line at which it shows, and the amount that lines lack there. */
export interface Break {
  readonly index: number
  readonly by: number
}

/**
 * How balances follow from lines. `sign`: of an amount in the balance; `checked`: the balances that were reached, `wrong` of them not exactly. `isWhole`: whether
 * each line is between two balances; of lines without a balance before them, one is.
 */
export interface Run {
  readonly isNewestFirst: boolean
  readonly sign: 1 | -1
  readonly checked: number
  readonly wrong: number
  readonly breaks: readonly Break[]
  readonly isWhole: boolean
  readonly opening: number | null
  readonly closing: number | null
}

/** Balances that the file states for all of its lines, and whether its days say that the newest line is first. */
export interface RunEnds {
  readonly opening?: number | null
  readonly closing?: number | null
  readonly isNewestFirst?: boolean | undefined
}

/** The reading of the balances, of either order and sign, with the fewest wrong ones. Undefined if there is nothing to check. */
export function findRun(steps: readonly Step[], { opening = null, closing = null, isNewestFirst }: RunEnds = {}): Run | undefined {
  const orders = isNewestFirst === undefined ? [false, true] : [isNewestFirst]
  const runs = orders.flatMap((order) => ([1, -1] as const).map((sign) => follow(steps, { opening, closing, isNewestFirst: order, sign })))
  const [best] = runs.filter(({ checked }) => checked > 0).toSorted((one, other) => one.wrong - other.wrong)
  return best
}

interface Followed {
  readonly opening: number | null
  readonly closing: number | null
  readonly isNewestFirst: boolean
  readonly sign: 1 | -1
}

function follow(steps: readonly Step[], { opening, closing, isNewestFirst, sign }: Followed): Run {
  const count = steps.length
  const found: Array<Break & { readonly place: number }> = []
  let last = opening
  let first = opening
  let moved = 0
  let checked = 0
  let waiting = 0
  let isWhole = true
  const reach = (balance: number, index: number) => {
    if (last === null) {
      first ??= balance - sign * moved
      isWhole = waiting < 2
    } else {
      const by = (balance - last) * sign - moved
      if (by !== 0) found.push({ index, by, place: checked })
      checked += 1
    }
    last = balance
    moved = 0
    waiting = 0
  }
  for (let at = 0; at < count; at += 1) {
    const index = isNewestFirst ? count - 1 - at : at
    const step = steps[index]
    if (!step) continue
    moved += step.amount
    waiting += 1
    if (step.balance !== null) reach(step.balance, index)
  }
  if (closing !== null) reach(closing, isNewestFirst ? 0 : count - 1)
  return {
    isNewestFirst,
    sign,
    checked,
    wrong: found.length,
    breaks: together(found),
    isWhole: isWhole && waiting === 0,
    opening: first,
    closing: last,
  }
}

/** Neighbouring breaks as one: lines in another order than their balances, as within a day, lack nothing together. */
function together(found: ReadonlyArray<Break & { readonly place: number }>): Break[] {
  const joined: Array<{ index: number; by: number; place: number }> = []
  for (const one of found) {
    const before = joined.at(-1)
    if (before?.place === one.place - 1) Object.assign(before, { by: before.by + one.by, place: one.place })
    else joined.push({ ...one })
  }
  return joined.filter(({ by }) => by !== 0).map(({ index, by }) => ({ index, by }))
}

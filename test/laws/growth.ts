import { collectGarbage } from '#test/support/collect-garbage'
import { inForm } from '#test/support/form'

/**
 * How work grows with what it is done on, told by this thread's processor time: a wall clock says how busy a machine is, and the time of a process what
 * other threads do.
 */

/** Work on as many items as were asked for, its input made before. */
export type Work = () => unknown

/** One thing that reads or compares. `most`: as many items as it ever gets, where it is given fewer than others. */
export interface Reader {
  readonly name: string
  readonly prepare: (count: number) => Work | Promise<Work>
  readonly most?: number
}

/** What a reader took for a number of items, in milliseconds of a processor. */
export interface Cost {
  readonly count: number
  readonly ms: number
}

/** As many items as `count`. */
export const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

/** Days one after the other, `YYYY-MM-DD`. */
export const dayOf = (index: number): string => new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10)

/** What cannot be read is work as well. */
export function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Below this a clock and a garbage collection say more than the work. */
const leastMs = 0.5
/** How far above n log n a machine may be at worst: growing caches, collections, compilers and neighbours cost up to four times. Work of n² is eleven times above it. */
const slack = 5
/**
 * Runs of which the quickest counts; the first of many items is believed where it is in proportion. Before many items are tried again, the garbage of other tests is collected: it is not this work's.
 */
const mostRuns = 5

async function costOf(work: Work, first: Cost | undefined, isEnough: (ms: number) => boolean): Promise<number> {
  // The system counts a thread's time in steps of milliseconds: few items take less than one.
  const usage = (before?: NodeJS.CpuUsage) => (first ? process.threadCpuUsage(before) : process.cpuUsage(before))
  let best = Infinity
  for (let run = 0; run < mostRuns && !isEnough(best); run += 1) {
    if (run > 0 && first) collectGarbage()
    const before = usage()
    await work()
    const { user, system } = usage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

/** Whether work grew faster than n log n from one cost to another. */
export function growsTooFast(from: Cost, to: Cost): boolean {
  const nLogN = (to.count * Math.log2(to.count)) / (from.count * Math.log2(from.count))
  return to.ms > Math.max(from.ms, leastMs) * nLogN * slack
}

/** A reader that takes this for a quarter of the fewest items is measured on a quarter of all: a clock says enough of it. */
const slowMs = 1

/** What a reader takes for these numbers of items, smallest first; ends at the first that is out of proportion. */
export async function measureGrowth({ prepare, most = Infinity }: Reader, counts: readonly number[]): Promise<Cost[]> {
  const costs: Cost[] = []
  const quarter = Math.ceil((counts[0] ?? 0) / 4)
  const share = inForm((await costOf(await prepare(quarter), undefined, (ms) => ms < slowMs)) < slowMs ? 1 : 4, 1)
  for (const count of counts.map((one) => Math.ceil(one / share)).filter((one) => one <= most)) {
    const [first] = costs
    const isFine = (ms: number) => first !== undefined && ms < Infinity && !growsTooFast(first, { count, ms })
    costs.push({ count, ms: await costOf(await prepare(count), first, isFine) })
    const last = costs.at(-1)
    if (first && last && growsTooFast(first, last)) break
  }
  return costs
}

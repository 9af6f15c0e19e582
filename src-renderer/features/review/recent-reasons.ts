/** How many reasons are offered again. */
const mostReasons = 6

/** The reasons with one used just now, the latest first, none twice. */
export function withRecent(reasons: readonly string[], used: string): string[] {
  return [used, ...reasons.filter((reason) => reason !== used)].slice(0, mostReasons)
}

/** Names with the prefix of settings that are not settings. */
const others: ReadonlySet<string> = new Set(['OUTLAY_DATA', 'OUTLAY_REMOTE_TOKEN'])

interface Names {
  readonly known: readonly string[]
  readonly inFile: readonly string[]
  readonly inEnvironment: readonly string[]
}

/**
 * What is wrong with an unknown name; undefined if nothing. In the file every name is meant for Outlay. In the environment only one that resembles a
 * setting counts, as others set variables there, too, such as Kubernetes for a service called "outlay".
 */
export function findSlip({ known, inFile, inEnvironment }: Names): string | undefined {
  for (const name of inFile.filter((one) => !known.includes(one) && !others.has(one))) return word(name, nearestTo(name, known))
  for (const name of inEnvironment.filter((one) => one.startsWith('OUTLAY_') && !known.includes(one) && !others.has(one))) {
    const nearest = nearestTo(name, known)
    if (nearest !== undefined) return word(name, nearest)
  }
  return undefined
}

function word(name: string, nearest: string | undefined): string {
  return `There is no setting ${name}.${nearest === undefined ? '' : ` Do you mean ${nearest}?`}`
}

/** The setting that a name probably means: up to a quarter of its letters may differ. */
function nearestTo(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor((name.length - 'OUTLAY_'.length) / 4))
  const [nearest] = known
    .map((one) => ({ one, distance: distanceBetween(name.toUpperCase(), one) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.one
}

/** The number of letters to insert, delete or replace. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, wanted] of [...other].entries())
      next.push(Math.min((row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1, (row[index] ?? 0) + Number(letter !== wanted)))
    row = next
  }
  return row.at(-1) ?? 0
}

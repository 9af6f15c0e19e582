import { findRun } from './running'

/** A line as the file's sums prove it. `amount_minor` and `balance_minor` have one currency; `balance_minor` has the file's sign. */
export interface ProvenLine {
  readonly line: number
  readonly day: string
  readonly amount_minor: number
  readonly balance_minor: number | null
}

/** A count or sum that the file states of its entries, or of the parts of one, and what was read. `side`: a sum that proves no lines. */
export interface StatedCheck {
  readonly line: number
  readonly what: 'count' | 'sum' | 'side' | 'parts' | 'batch'
  /** Entries or parts, or minor units. */
  readonly stated: number
  readonly found: number
}

/** A part of a file with its balances: lines of one account and currency in file order. */
export interface ProvenPart {
  readonly lines: readonly ProvenLine[]
  readonly opening: number | null
  readonly closing: number | null
  readonly checks: readonly StatedCheck[]
}

/** Why lines and sums most likely differ. */
export const proofReasons = [
  'unreadable',
  'repeated',
  'opposite',
  'changed',
  'missing',
  'surplus',
  'gap',
  'count',
  'sum',
  'parts',
  'batch',
  'before',
  'unproven',
] as const
export type ProofReason = (typeof proofReasons)[number]

/** What the file's sums say of its lines. Balances are what is owed: spending raises them. `difference`: null if the file has no sums. */
export interface Proof {
  readonly sum: number
  readonly opening: number | null
  readonly closing: number | null
  /** The amount that the lines lack; negative if they have too much. */
  readonly difference: number | null
  readonly reason: ProofReason | null
  readonly line: number | null
}

const sumOf = (lines: readonly ProvenLine[]) => lines.reduce((sum, { amount_minor }) => sum + amount_minor, 0)

/** Whether the days of lines say that the newest is first; undefined if they do not tell. */
export function isNewestFirst(days: readonly string[]): boolean | undefined {
  let rises = 0
  let falls = 0
  for (const [index, day] of days.entries()) {
    const before = days[index - 1] ?? day
    if (day > before) rises += 1
    if (day < before) falls += 1
  }
  return rises === falls ? undefined : falls > rises
}

/** Checks the lines of a file against its sums. `unread`: how many lines could not be read. */
export function proveParts(parts: readonly ProvenPart[], unread: number): Proof {
  const proofs = parts.filter(({ lines, opening, closing }) => lines.length > 0 || opening !== null || closing !== null).map(provePart)
  // A statement without lines has no day, and its balances are those of its neighbours.
  const ordered = proofs.filter(({ day }) => day !== '').toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
  const gaps = ordered.slice(1).flatMap((one, index) => {
    const before = ordered[index]
    if (before?.closing == null || one.opening === null || before.closing === one.opening) return []
    return [{ difference: one.opening - before.closing, reason: 'gap' as const, line: one.first }]
  })
  const wrong = [...proofs, ...gaps].find(({ reason }) => reason !== null)
  const known = proofs.filter(({ difference }) => difference !== null)
  const total = [...known, ...gaps].reduce((sum, { difference }) => sum + (difference ?? 0), 0)
  // Two errors that cancel each other are errors.
  const difference = known.length < proofs.length && !wrong?.difference ? null : total === 0 && wrong ? (wrong.difference ?? null) : total
  return {
    sum: parts.reduce((sum, { lines }) => sum + sumOf(lines), 0),
    ...{ opening: ordered[0]?.opening ?? null, closing: ordered.at(-1)?.closing ?? null },
    difference: proofs.length === 0 ? null : difference,
    reason: wrong ? (unread > 0 ? 'unreadable' : wrong.reason) : null,
    line: wrong?.line ?? null,
  }
}

/** Whether a check is of a number, not of an amount. */
export const isCount = ({ what }: Pick<StatedCheck, 'what'>): boolean => what === 'count' || what === 'parts'

type PartProof = Omit<Proof, 'sum'> & { readonly day: string; readonly first: number }

const runOf = ({ lines, opening, closing }: ProvenPart) =>
  findRun(
    lines.map(({ amount_minor: amount, balance_minor: balance }) => ({ amount, balance })),
    { opening, closing, isNewestFirst: isNewestFirst(lines.map(({ day }) => day)) },
  )

/** The sign of a part's balances by which spending raises them. */
export const signOfBalances = (part: ProvenPart): 1 | -1 => runOf(part)?.sign ?? 1

function provePart(part: ProvenPart): PartProof {
  const { lines, opening, closing, checks } = part
  const run = runOf(part)
  const owed = (balance: number | null) => (balance === null || run?.sign !== -1 ? balance : 0 - balance)
  const [first] = run?.breaks ?? []
  const check = checks.find(({ stated, found }) => stated !== found)
  const lacking = run ? run.breaks.reduce((sum, { by }) => sum + by, 0) : null
  const place = {
    ...{ day: lines.map(({ day }) => day).toSorted()[0] ?? '', first: lines[0]?.line ?? 0 },
    ...{ opening: owed(run?.opening ?? opening), closing: owed(run?.closing ?? closing) },
  }
  if (first) return { ...place, difference: lacking === 0 ? first.by : lacking, ...reasonOf(lines, first.index, first.by) }
  if (check) {
    const reason = check.what === 'side' ? 'sum' : check.what
    return { ...place, difference: isCount(check) ? null : check.stated - check.found, reason, line: check.line }
  }
  const isProven = (run?.isWhole ?? false) || checks.some(({ what }) => what === 'sum')
  return { ...place, difference: isProven ? 0 : null, reason: null, line: null }
}

/** Less is rather a wrong amount than a missing line, where no balance says at which line. Minor units. */
const smallDifference = 100

/** The likeliest reason for which lines lack an amount at one of them. */
function reasonOf(lines: readonly ProvenLine[], index: number, by: number): { reason: ProofReason; line: number | null } {
  const here = lines.some(({ balance_minor }) => balance_minor !== null) ? lines[index] : undefined
  const near = lines.slice(Math.max(0, index - 1), index + 2)
  const isTwice = (one: ProvenLine) =>
    lines.filter(({ day, amount_minor }) => day === one.day && amount_minor === one.amount_minor).length > 1
  const repeated = [...near, ...lines].find((one) => one.amount_minor === -by && isTwice(one))
  if (repeated) return { reason: 'repeated', line: repeated.line }
  const opposite = [...near, ...lines].find((one) => one.amount_minor * -2 === by)
  if (opposite) return { reason: 'opposite', line: opposite.line }
  const isSmall = here ? Math.abs(by) * 10 <= Math.abs(here.amount_minor) : Math.abs(by) < smallDifference
  if (isSmall) return { reason: 'changed', line: here?.line ?? null }
  const surplus = lines.find((one) => one.amount_minor === -by)
  if (surplus) return { reason: 'surplus', line: surplus.line }
  return { reason: 'missing', line: here?.line ?? null }
}

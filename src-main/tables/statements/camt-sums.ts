import { type StatedSum, type StatementEntry, plainDecimal } from './entry'

/** A value with its element's currency. */
export interface Found {
  readonly text: string
  readonly currency: string | undefined
}

/** The values of an element by path; of repeated ones the first, of charges their sum. */
export type Values = Map<string, Found>

/** The details of an entry: what its batch says of itself, and its transactions. */
export interface Detail {
  readonly values: Values
  readonly parts: Values[]
}

/** An entry or balance that is being read. */
export interface Opened {
  readonly line: number
  readonly values: Values
  readonly details: Detail[]
}

/** A transaction of an entry. `amount`: its own, where it is not the entry's. */
export interface PartOfEntry {
  readonly part: Values
  readonly amount?: Found | undefined
}

/** Money that came, or went. */
export type Side = 'CRDT' | 'DBIT'
/** How many entries a statement has by side, and their sums, both in hundred-thousandths. */
type Tally = Record<'NbOfNtries' | 'Sum', Record<Side, bigint>>

/** What a statement says of itself: its account, its balances and the sums of its entries. `booked`: without pending ones. */
export interface Summary {
  readonly line: number
  readonly values: Values
  readonly all: Tally
  readonly booked: Tally
}

const scale = 5

/** An amount in hundred-thousandths, for exact sums; 0 if there is none. */
export function amountOf(found: Found | undefined): bigint {
  const [whole = '', fraction = ''] = (plainDecimal(found?.text ?? '') ?? '0').split('.')
  const digits = BigInt(`${whole.replace('-', '') || '0'}${fraction.slice(0, scale).padEnd(scale, '0')}`)
  return whole.startsWith('-') ? -digits : digits
}

/** The decimal of hundred-thousandths. */
export function unscaled(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
}

/** Whether money came or went; the usual side where that is not said. */
export function sideOf(values: Values, usual: Side): Side
export function sideOf(values: Values, usual?: Side): Side | undefined
export function sideOf(values: Values, usual?: Side): Side | undefined {
  const written = values.get('CdtDbtInd')?.text
  return written === 'CRDT' || written === 'DBIT' ? written : usual
}

const noTally = (): Tally => ({ NbOfNtries: { CRDT: 0n, DBIT: 0n }, Sum: { CRDT: 0n, DBIT: 0n } })

/** A statement that begins. */
export const summaryAt = (line: number): Summary => ({ line, values: new Map(), all: noTally(), booked: noTally() })

/** Counts an entry that was read as these. */
export function addUp({ all, booked }: Summary, { values }: Opened, entries: readonly StatementEntry[]): void {
  // What cannot be read is not there.
  if (entries.some(({ kind }) => kind === 'problem')) return
  const side = sideOf(values, 'DBIT')
  for (const tally of entries.some(({ kind }) => kind === 'booking') ? [all, booked] : [all]) {
    tally.NbOfNtries[side] += 10n ** BigInt(scale)
    tally.Sum[side] += amountOf(values.get('Amt'))
  }
}

const sides = { TtlNtries: ['CRDT', 'DBIT'], TtlCdtNtries: ['CRDT'], TtlDbtNtries: ['DBIT'] } as const satisfies Record<
  string,
  readonly Side[]
>
const totals = ['TtlNtries', 'TtlCdtNtries', 'TtlDbtNtries'] as const

/** What a statement says its entries come to, against what they do. Banks count pending entries, or do not. */
export function* checksOf({ line, values, all, booked }: Summary): Generator<StatedSum> {
  const stated = (name: string) => {
    const found = values.get(`TxsSummry/${name}`)
    return plainDecimal(found?.text ?? '') === undefined ? undefined : amountOf(found)
  }
  const sum = (of: Record<Side, bigint>, name: keyof typeof sides) => sides[name].reduce((total, side) => total + of[side], 0n)
  // Both sides without pending entries prove the lines; one side, or sums of all entries, prove none.
  const isProof = (['TtlCdtNtries', 'TtlDbtNtries'] as const).every((name) => (stated(`${name}/Sum`) ?? 0n) === sum(booked.Sum, name))
  for (const name of totals)
    for (const figure of ['NbOfNtries', 'Sum'] as const) {
      const due = stated(`${name}/${figure}`)
      if (due === undefined) continue
      const found = [booked, all].map((tally) => sum(tally[figure], name))
      const reached = found.find((one) => one === due) ?? found[0] ?? 0n
      const what = figure === 'NbOfNtries' ? 'count' : due === reached && !isProof ? 'side' : 'sum'
      // Credits that are missing are spending that is too much.
      const sign = name === 'TtlCdtNtries' && figure === 'Sum' ? -1n : 1n
      yield { kind: 'check', line, what, stated: unscaled(sign * due), found: unscaled(sign * reached) }
    }
}

/** An entry's transactions as lines: none where it is one line. `rest`: the charges within it. `checks`: where they do not come to it. */
export interface Batch {
  readonly parts: readonly PartOfEntry[]
  readonly rest: PartOfEntry | undefined
  readonly checks: readonly StatedSum[]
}

/** Splits an entry into its transactions if these come to it and to what its batches say, alone or with the charges. */
export function batchOf({ line, values, details }: Opened): Batch {
  const whole = values.get('Amt')
  const side = sideOf(values, 'DBIT')
  const isComparable = (found: Found | undefined) =>
    plainDecimal(found?.text ?? '') !== undefined && (found?.currency ?? whole?.currency) === (whole?.currency ?? found?.currency)
  const sumOf = (parts: ReadonlyArray<readonly [Found | undefined, Values]>) =>
    parts.reduce((sum, [found, part]) => sum + (sideOf(part, side) === side ? amountOf(found) : -amountOf(found)), 0n)
  const batches = details.map(({ values: said, parts }) => ({
    number: said.get('Btch/NbOfTxs'),
    total: said.get('Btch/TtlAmt'),
    parts: parts.map((part) => [part.get('Amt') ?? part.get('AmtDtls/TxAmt/Amt'), part] as const),
  }))
  const all = batches.flatMap(({ parts }) => parts)
  const checks: StatedSum[] = []
  const check = (what: 'batch' | 'parts', stated: bigint, found: bigint) => {
    if (stated !== found) checks.push({ kind: 'check', line, what, stated: unscaled(stated), found: unscaled(found) })
  }
  const isSummed = all.length > 0 && all.every(([found]) => isComparable(found))
  for (const { number, total, parts } of batches) {
    if (parts.length === 0) continue
    if (plainDecimal(number?.text ?? '') !== undefined) check('parts', amountOf(number), BigInt(parts.length) * 10n ** BigInt(scale))
    if (isSummed && isComparable(total)) check('batch', amountOf(total), sumOf(parts))
  }
  const [only] = batches
  const total = isSummed ? sumOf(all) : batches.length === 1 && only && isComparable(only.total) ? amountOf(only.total) : undefined
  const rest = total === undefined ? 0n : amountOf(whole) - total
  // Charges are within what was spent, and taken from what was received.
  const lost = side === 'DBIT' ? rest : -rest
  const isCharged = [chargesOf(values), all.reduce((sum, [, part]) => sum + chargesOf(part), 0n)].includes(lost)
  if (total !== undefined && rest !== 0n && !isCharged) check('batch', amountOf(whole), total)
  if (!isSummed || all.length < 2 || checks.length > 0) return { parts: [], rest: undefined, checks }
  const charges = { text: unscaled(lost < 0n ? -lost : lost), currency: whole?.currency }
  const way = lost < 0n ? 'CRDT' : 'DBIT'
  return {
    ...{ checks, parts: all.map(([amount, part]) => ({ part, amount })) },
    rest: rest === 0n ? undefined : { part: new Map([['CdtDbtInd', { text: way, currency: undefined }]]), amount: charges },
  }
}

/** The charges within an amount: as a total, or as records. */
const chargesOf = (values: Values) =>
  amountOf(values.get('Chrgs/TtlChrgsAndTaxAmt') ?? values.get('Chrgs/Rcrd/Amt') ?? values.get('Chrgs/Amt'))

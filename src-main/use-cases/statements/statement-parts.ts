import type { AccountChoice, NamedAccount } from '#shared/domain/statements/accounts'
import type { LineKind } from '#shared/domain/statements/lines'
import type { StatementEnd } from '#shared/domain/statements/closings'
import { exponentOf } from '#shared/domain/currencies'
import { parseAmount } from '#shared/domain/money'
import { type Proof, type ProvenPart, type StatedCheck, isCount, proveParts, signOfBalances } from '#shared/domain/statements/proof'
import { toAccount } from '#main/tables/statements/account-numbers'
import type { SectionStart, StatedSum } from '#main/tables/statements/entry'

/** A line that was read. `amount_minor` and `original_minor` are exact. */
export interface ReadLine {
  readonly line: number
  readonly day: string
  readonly text: string
  readonly amount_minor: number
  readonly currency: string
  readonly reference: string | null
  readonly line_kind: LineKind
  readonly original_minor: number | null
  readonly original_currency: string | null
  readonly rate: number | null
  /** What is owed after it, by the file; null if the file does not say. */
  readonly balance_minor: number | null
}

/** A line that was read, and whether the bank marks it as a reversal whose direction is open. */
export interface PartLine {
  readonly line: ReadLine
  readonly isReversal: boolean
}

/** A part of a file: the lines and stated sums of one account. */
export interface StatementPart {
  readonly account: NamedAccount | null
  readonly lines: PartLine[]
  readonly sums: StatedSum[]
}

/** An account that a file names, and its lines. */
export interface AccountOfFile {
  readonly account: NamedAccount
  readonly parts: readonly StatementPart[]
}

/** How many lines parts have, and the sum of those in their usual currency; null without lines. */
export function totalOf(parts: readonly StatementPart[]): { lines: number; sum: { currency: string; amount_minor: number } | null } {
  const lines = parts.flatMap((part) => part.lines.map(({ line }) => line))
  const currency = usualCurrency(parts)
  const own = lines.filter((line) => line.currency === currency)
  return {
    lines: lines.length,
    sum: currency === undefined ? null : { currency, amount_minor: own.reduce((sum, { amount_minor }) => sum + amount_minor, 0) },
  }
}

/** The name of a current account to which the file gives none. */
const nameless = 'Bank'

/** Collects the parts of a file in the order in which it names their accounts. */
export class StatementParts {
  readonly all: StatementPart[] = []
  /** By account, the part to which mixed rows belong. */
  readonly #mixed = new Map<string, StatementPart>()
  #current: StatementPart | undefined

  begin({ number, account: kind, continues }: Pick<SectionStart, 'number' | 'account' | 'continues'>): void {
    const account = number === null && kind !== 'bank' ? null : toAccount(number ?? nameless, kind)
    const key = account?.key ?? ''
    const known = continues ? this.#mixed.get(key) : undefined
    this.#current = known ?? { account, lines: [], sums: [] }
    if (known) return
    this.all.push(this.#current)
    this.#mixed.set(key, this.#current)
  }

  /** The part that is being read. */
  get current(): StatementPart {
    if (this.#current) return this.#current
    this.begin({ number: null, account: null, continues: false })
    return this.current
  }

  /** The accounts that the file names, each once. */
  accounts(): AccountOfFile[] {
    const byKey = new Map<string, { readonly account: NamedAccount; readonly parts: StatementPart[] }>()
    for (const part of this.all) {
      const { account } = part
      if (account === null) continue
      const one = byKey.get(account.key) ?? { account, parts: [] }
      one.parts.push(part)
      byKey.set(account.key, one)
    }
    return [...byKey.values()]
  }
}

/** Whether a part's lines are the card's. Rows without an account are of the one that is taken. */
export function isTaken({ account }: StatementPart, choice: AccountChoice | undefined): boolean {
  if (account === null || choice === undefined) return true
  return choice.kind === 'taken' ? choice.key === account.key : choice.of !== 'several'
}

/** The lines of a card with their balances, and what the file's sums say of them. `currency`: of the sums, null without lines. */
export interface ProvenLines {
  readonly lines: readonly ReadLine[]
  readonly proof: Proof
  readonly currency: string | null
  /** The end of a statement whose closing balance has a day. */
  readonly end: Omit<StatementEnd, 'earlier'> | null
}

/** Checks parts against the sums that the file states. Balances get the sign with which spending raises them. */
export function proveStatement(parts: readonly StatementPart[], { unread, usual }: { unread: number; usual: string }): ProvenLines {
  const currency = usualCurrency(parts) ?? usual
  const proven = parts.map((part) => withReversals(part, currency))
  const proof = proveParts(
    proven.map(({ sums }) => sums),
    unread,
  )
  const lines = proven.flatMap(({ lines: own, sums }) => {
    const sign = signOfBalances(sums)
    return own.map((line) => (line.balance_minor === null || sign === 1 ? line : { ...line, balance_minor: 0 - line.balance_minor }))
  })
  const end = endOfAll(proven.map((one, index) => endOf(one, parts[index]?.sums ?? [], currency)))
  return { lines, proof, currency: lines.length === 0 ? null : currency, end }
}

type End = ProvenLines['end']

/** The end of statements that follow each other, as one for each day does. */
function endOfAll(ends: readonly End[]): End {
  const ordered = ends.filter((end) => end !== null).toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (!first || !last || ordered.length < ends.length) return null
  if (ends.length > 1 && ordered.some(({ opening }) => opening === null)) return null
  return { ...last, opening: first.opening, from: first.from }
}

function endOf({ sums }: ProvenOne, stated: readonly StatedSum[], currency: string): End {
  const { lines, opening, closing } = sums
  const dayOf = (what: string) => stated.find((sum) => sum.kind === 'day' && sum.what === what)
  const [at, from, to] = ['closing', 'from', 'to'].map((what) => {
    const found = dayOf(what)
    return found?.kind === 'day' ? found.day : undefined
  })
  const days = lines.map(({ day }) => day).toSorted()
  if (at === undefined || closing === null || lines.some(({ balance_minor }) => balance_minor !== null)) return null
  const sign = opening === null ? 1 : signOfBalances(sums)
  return {
    ...{ day: at, amount_minor: sign * closing + 0, currency, opening: opening === null ? null : sign * opening + 0 },
    ...{ from: from ?? days[0] ?? at, to: to ?? days.at(-1) ?? at },
  }
}

function usualCurrency(parts: readonly StatementPart[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { lines } of parts) for (const { line } of lines) counts.set(line.currency, (counts.get(line.currency) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

interface ProvenOne {
  readonly lines: readonly ReadLine[]
  readonly sums: ProvenPart
}

/** Reversed debits are money back, unless the file's balances say otherwise: banks mark them in two ways. */
function withReversals({ lines, sums }: StatementPart, currency: string): ProvenOne {
  const asSaid = provenOne(
    lines.map(({ line }) => line),
    sums,
    currency,
  )
  if (!lines.some(({ isReversal }) => isReversal)) return asSaid
  const back = provenOne(
    lines.map(({ line, isReversal }) => (isReversal ? { ...line, amount_minor: -line.amount_minor, line_kind: 'refund' } : line)),
    sums,
    currency,
  )
  const isProven = ({ sums: own }: ProvenOne) => proveParts([own], 0).difference === 0
  return isProven(asSaid) && !isProven(back) ? asSaid : back
}

function provenOne(lines: readonly ReadLine[], sums: readonly StatedSum[], currency: string): ProvenOne {
  const minor = (text: string) => {
    const parsed = parseAmount(text, currency)
    return parsed.kind === 'ok' ? parsed.amount_minor : null
  }
  const balance = (what: 'opening' | 'closing') => {
    const stated = sums.filter((sum) => sum.kind === 'balance' && sum.what === what)
    const one = what === 'opening' ? stated[0] : stated.at(-1)
    return one?.kind === 'balance' ? minor(one.amount) : null
  }
  const checks = sums.flatMap((sum): StatedCheck[] => {
    if (sum.kind !== 'check') return []
    const scale = isCount(sum) ? 0 : exponentOf(currency)
    const [stated, found] = [sum.stated, sum.found].map((text) => Math.round(Number(text) * 10 ** scale))
    return stated === undefined || found === undefined || Number.isNaN(stated) ? [] : [{ line: sum.line, what: sum.what, stated, found }]
  })
  return {
    lines,
    sums: {
      lines: lines.filter((line) => line.currency === currency),
      ...{ opening: balance('opening'), closing: balance('closing'), checks },
    },
  }
}

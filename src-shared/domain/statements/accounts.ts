import { fitsCheckDigit } from '../card-numbers'
import type { Closing } from './closings'

/** Whether a file says that an account is a card's, or that it is none, such as a current account; null if it does not say. */
export type AccountKind = 'card' | 'bank' | null

/** An account or card that a file names. `key`: its whole number, or its name; `digits`: the last four, where it is a number. */
export interface NamedAccount {
  readonly key: string
  readonly digits: string | null
  readonly isMasked: boolean
  readonly kind: AccountKind
}

/** An account from which statements of a card came: its last digits, and a keyed hash of its number. */
export interface KeptAccount {
  readonly digits: string | null
  /** Null: the number was masked. */
  readonly hash: string | null
  /** The balances at the end of its statements, where these have no opening balance. */
  readonly closings?: readonly Closing[]
}

/** A card, and the accounts of its earlier files. `last4`: the last digits of its number. */
export interface CardOfFiles {
  readonly card_id: number
  readonly last4: string
  readonly kept: readonly KeptAccount[]
}

/** What decides which account of a file is the card's. */
export interface AccountEvidence {
  /** The last digits of the card's number. */
  readonly last4: string
  readonly kept: readonly KeptAccount[]
  readonly hashOf: (key: string) => string
  /** The account that a person chose, by its last digits or name. */
  readonly chosen?: string | undefined
  /** The cards to which its other accounts may belong. */
  readonly cards?: readonly CardOfFiles[]
}

/** The account whose lines are the card's; `ask`: a person must choose or confirm it. Undefined: the file names none. */
export type AccountChoice =
  { readonly kind: 'taken'; readonly key: string } | { readonly kind: 'ask'; readonly of: 'several' | 'other' | 'bank' }

/** The card whose earlier files were of an account, otherwise the one with its last digits; null if there is none, or more than one. */
export function cardOfAccount(account: NamedAccount, cards: readonly CardOfFiles[], hashOf: (key: string) => string): number | null {
  const { digits, isMasked, key } = account
  const only = (found: readonly CardOfFiles[]) => (found.length === 1 ? found[0] : undefined)
  const has = (test: (kept: KeptAccount) => boolean) => only(cards.filter(({ kept }) => kept.some(test)))
  const hash = isMasked ? null : hashOf(key)
  const found =
    has((kept) => hash !== null && kept.hash === hash) ??
    (digits === null ? undefined : (has((kept) => kept.digits === digits) ?? only(cards.filter(({ last4 }) => last4 === digits))))
  return found?.card_id ?? null
}

/** How the accounts of a file are named to people: by their last digits or name, and a number where these are equal. */
export function labelsOf(accounts: readonly NamedAccount[]): string[] {
  const names = accounts.map(({ digits, key }) => digits ?? key)
  return names.map((name, index) => {
    const nth = names.slice(0, index).filter((one) => one === name).length
    return nth === 0 ? name : `${name} (${nth + 1})`
  })
}

/** Chooses the account of a file that is the card's: a person's choice, one known before, the card's number, the only card, the only account. */
export function chooseAccount(
  accounts: readonly NamedAccount[],
  { last4, kept, hashOf, chosen }: AccountEvidence,
): AccountChoice | undefined {
  if (accounts.length === 0) return undefined
  const taken = (found: readonly NamedAccount[]) =>
    found.length === 1 && found[0] ? ({ kind: 'taken', key: found[0].key } as const) : undefined
  if (chosen !== undefined) {
    const labels = labelsOf(accounts)
    const one = taken(accounts.filter((_, index) => labels[index] === chosen))
    if (one) return one
  }
  const isHash = (account: NamedAccount) => !account.isMasked && kept.some(({ hash }) => hash !== null && hash === hashOf(account.key))
  const isEnd = ({ digits }: NamedAccount) => digits !== null && kept.some((one) => one.digits === digits)
  const isOwn = ({ digits }: NamedAccount) => digits !== null && last4.length === 4 && last4.endsWith(digits)
  const known = taken(accounts.filter(isHash)) ?? taken(accounts.filter(isEnd)) ?? taken(accounts.filter(isOwn))
  if (known) return known
  const cards = accounts.filter(({ kind }) => kind === 'card')
  if (accounts.length > 1) return kept.length === 0 && cards.length === 1 ? taken(cards) : { kind: 'ask', of: 'several' }
  const [only] = accounts
  if (!only) return undefined
  if (kept.length > 0 || isOtherCard(only)) return { kind: 'ask', of: 'other' }
  return only.kind === 'bank' ? { kind: 'ask', of: 'bank' } : { kind: 'taken', key: only.key }
}

/** Whether a number is that of a card, and so of another one: banks also name accounts, whose digits a card does not have. */
function isOtherCard({ key, isMasked }: NamedAccount): boolean {
  if (/^\d{15,16}$/.test(key)) return fitsCheckDigit(key)
  return isMasked && (/^\d{4}$/.test(key) || (/^\d{0,6}[*X•·]+\d{4}$/.test(key) && key.length >= 8))
}

import type { AccountKind, NamedAccount } from '#shared/domain/statements/accounts'
import { toHeading } from './headings'

/** Words before the number of an account or card, in the form of `toHeading`. */
const label =
  /\b(account|acct|iban|card|conta|cartao|cuenta|tarjeta|konto|kontonummer|karte|kreditkarte|kartennummer|compte|carte|conto|carta|rekening|rekeningnummer|kaart|kaartnummer|rachunek|rachunku|karta|karty|uctu|ucet|kort|kortnummer|kontonr|tili|kortti|hesap|kart|szamlaszam|kartya|cont|card number)\b|счет|карт|口座|カード|账号|卡号|계좌|카드/
/** Words before the last digits of a card, where these stand alone. */
const ending =
  /\b(?:final|ending(?: in| with)?|ends (?:in|with)|terminad[ao] em|terminad[ao] en|termina en|endet (?:auf|mit)|endziffern?|terminant par|termina con|eindigend op)\s*:?\s*(\d{4})(?!\d)/i
const number = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]){10,30}|[\dXx*•.·-][\dXx*•.· /-]{2,}\d{3,}(?!\d)/

/** The number of an account or card that a text names; undefined if it names none. */
export function accountIn(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim()
  if (plain.length > 300) return undefined
  const at = /\d|[Xx*•]{3}/.exec(plain)?.index ?? -1
  if (at === -1 || !label.test(toHeading(plain.slice(0, at + 1)))) return undefined
  const found = ending.exec(plain)?.[1] ?? number.exec(plain)?.[0].trim()
  // A day is no account.
  return found === undefined || /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/.test(found) ? undefined : found
}

const iban = /^[A-Z]{2}\d{2}[A-Z\d]{10,30}$/

/** An account as files name it: by a number, of which some digits may be hidden, or by a name. */
export function toAccount(written: string, said: AccountKind): NamedAccount {
  const plain = written
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}*•·]/gu, '')
  const kind = said ?? (iban.test(plain) ? 'bank' : null)
  const digits = /(\d{3,})[A-Z]{0,3}$/.exec(plain)?.[1]?.slice(-4) ?? null
  if (digits === null) return { key: written.trim().slice(0, 60), digits, isMasked: false, kind }
  const isMasked = /[*•·]|X{3}/.test(plain) || plain.length <= 4
  return { key: plain, digits, isMasked, kind }
}

import { readBrazilianAddress, readKeyBars, readSat } from '#shared/codes/brazilian'
import type { CodeFacts, CodeFormat } from '#shared/codes/facts'
import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import { readPortuguese } from '#shared/codes/portuguese'

/** A longer text is in no code: a QR code of the largest size holds 4296 characters. */
const mostCharacters = 4_500

/**
 * What the code of a receipt says: NFC-e (versions 1 to 3, online or not), CF-e SAT, a key of 44 or 50 characters, CT-e, tickets and bills of the
 * same kind, and Portuguese invoices. Undefined for any other text, for a document issued as a test, and wherever a check digit is
 * wrong or two parts contradict each other.
 */
export function factsOfCode(text: string, format: CodeFormat): CodeFacts | undefined {
  if (text.length > mostCharacters) return undefined
  const trimmed = text.trim()
  if (format === 'Code128') return readKeyBars(trimmed)
  if (trimmed.startsWith('A:')) return readPortuguese(trimmed)
  return readBrazilianAddress(trimmed) ?? readSat(trimmed) ?? readKeyBars(trimmed)
}

/** What was decoded from a file, in the order of its pages and from top to bottom. */
export interface DecodedText {
  readonly text: string
  readonly format: CodeFormat
}

/** A key printed as two bar codes of half its length each, as receipts of SAT have it. */
const halfKey = /^\d{22}$/
/** Of so many halves no receipt has more. */
const mostHalves = 20

/**
 * What the codes of one file say, each document once: a code with more in it stands for the key printed next to it. Bar codes
 * that have half a key each are read together.
 */
export function factsOfCodes<Code extends DecodedText>(codes: readonly Code[]): Array<{ readonly facts: CodeFacts; readonly code: Code }> {
  const halves = codes.filter(({ text, format }) => format === 'Code128' && halfKey.test(text)).slice(0, mostHalves)
  const joined = halves.flatMap((code) => halves.map((other) => ({ code, text: code.text + other.text, format: code.format })))
  const found = [...codes.map((code) => ({ code, text: code.text, format: code.format })), ...joined].flatMap(({ code, text, format }) => {
    const facts = factsOfCode(text, format)
    return facts ? [{ facts, code }] : []
  })
  const richest = found.toSorted((one, other) => richness(other.facts) - richness(one.facts))
  return [...Map.groupBy(richest, ({ facts }) => facts.key).values()].flatMap((same) => same.slice(0, 1))
}

/** What the codes of one file say of it as an invoice; nothing where they are of several: then the file is none of them. */
export function invoiceOfCodes(codes: readonly DecodedText[]): InvoiceFacts | undefined {
  const [found, ...others] = factsOfCodes(codes)
  if (!found || others.length > 0) return undefined
  const { key, total_minor = null, currency, issued_on = null, buyer_tax_id = null } = found.facts
  return { key, total_minor, currency: total_minor === null ? null : currency, issued_on, buyer_tax_id }
}

function richness(facts: CodeFacts): number {
  return Object.values(facts).filter((value) => value !== undefined).length
}

import { readBrazilianAddress, readKeyBars, readSat } from '#shared/codes/brazilian'
import type { CodeFacts, CodeFormat } from './facts'
import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import { readPortuguese } from '#shared/codes/portuguese'

/** Longer texts are not from a code: the largest QR code holds 4296 characters. */
const mostCharacters = 4_500

/**
 * Reads the code of a receipt: NFC-e (versions 1 to 3, online or not), CF-e SAT, a key of 44 or 50 characters, CT-e, tickets and bills of the same
 * kind, and Portuguese invoices. Undefined for other texts, for test documents, and if a check digit is wrong or two parts contradict each other.
 */
export function factsOfCode(text: string, format: CodeFormat): CodeFacts | undefined {
  if (text.length > mostCharacters) return undefined
  const trimmed = text.trim()
  if (format === 'Code128') return readKeyBars(trimmed)
  if (trimmed.startsWith('A:')) return readPortuguese(trimmed)
  return readBrazilianAddress(trimmed) ?? readSat(trimmed) ?? readKeyBars(trimmed)
}

/** The decoded codes of a file, in the order of its pages and from top to bottom. */
export interface DecodedText {
  readonly text: string
  readonly format: CodeFormat
}

/** A key printed as two bar codes of half its length each, as on SAT receipts. */
const halfKey = /^\d{22}$/
/** No receipt has more halves. */
const mostHalves = 20

/** Reads the codes of a file, each document once: of several codes of a document the one with most values counts. Halves of a key are joined. */
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

/** The invoice in the codes of a file; undefined if they are of several, as the file then is none of them. */
export function invoiceOfCodes(codes: readonly DecodedText[]): InvoiceFacts | undefined {
  const [found, ...others] = factsOfCodes(codes)
  if (!found || others.length > 0) return undefined
  const { key, total_minor = null, currency, issued_on = null, buyer_tax_id = null } = found.facts
  return { key, total_minor, currency: total_minor === null ? null : currency, issued_on, buyer_tax_id }
}

function richness(facts: CodeFacts): number {
  return Object.values(facts).filter((value) => value !== undefined).length
}

import { z } from 'zod'

/** Typed or pasted addresses: each once, and the pieces that are none, unchanged. */
export type ParsedAddresses = { readonly valid: readonly string[]; readonly invalid: readonly string[] }

const address = z.email()
const quotedName = /"[^"]*"/g

/**
 * Reads e-mail addresses as people paste them: apart by commas, semicolons, blanks or lines, alone or as `Ana Souza
 * <ana@example.org>`.
 */
export function parseAddresses(text: string): ParsedAddresses {
  const valid = new Map<string, string>()
  const invalid: string[] = []
  for (const piece of text
    .replace(quotedName, ' ')
    .split(/[,;\n\r]+/)
    .flatMap(toPieces)) {
    if (address.safeParse(piece).success) valid.set(piece.toLowerCase(), piece)
    else if (!invalid.includes(piece)) invalid.push(piece)
  }
  return { valid: [...valid.values()], invalid }
}

/** A piece with an address in angle brackets is that address; else blanks part addresses where every word is one. */
function toPieces(piece: string): string[] {
  const trimmed = piece.trim()
  const [, bracketed] = /<([^<>]+)>$/.exec(trimmed) ?? []
  if (bracketed !== undefined) return [bracketed.trim()]
  const words = trimmed.split(/\s+/).filter(Boolean)
  return words.every((word) => word.includes('@')) ? words : [trimmed]
}

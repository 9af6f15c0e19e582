/** How a code is drawn. Only these are read from pictures: no receipt has its facts in another. */
export const codeFormats = ['QRCode', 'Code128'] as const
export type CodeFormat = (typeof codeFormats)[number]

/** The documents whose codes are understood: those of Brazil by model, the national NFS-e, and a Portuguese invoice. */
export type CodedDocument = 'nfe' | 'nfce' | 'cte' | 'sat' | 'ticket' | 'utility' | 'nfse' | 'pt'

/**
 * What a code says, exactly as it was printed. `key`: what the document is known by, the same as of its XML where it has one. `month`:
 * `YYYY-MM`. `issued_on`: `YYYY-MM-DD` and `time`: `HH:MM`, both at the place of issue. `total_minor`: in minor units of the currency. What is
 * undefined is not in the code.
 */
export interface CodeFacts {
  readonly document: CodedDocument
  readonly key: string
  readonly tax_id: string | undefined
  readonly month: string
  readonly number: string
  readonly currency: 'BRL' | 'EUR'
  readonly issued_on: string | undefined
  readonly time: string | undefined
  readonly total_minor: number | undefined
  readonly buyer_tax_id: string | undefined
}

/** The symbologies that are read from pictures: no receipt uses others. */
export const codeFormats = ['QRCode', 'Code128'] as const
export type CodeFormat = (typeof codeFormats)[number]

/** The documents whose codes are supported: Brazilian ones by model, the national NFS-e, and Portuguese invoices. */
export type CodedDocument = 'nfe' | 'nfce' | 'cte' | 'sat' | 'ticket' | 'utility' | 'nfse' | 'pt'

/**
 * The values in a code, as printed. `key` identifies the document, as in its XML if there is one. `month`: `YYYY-MM`. `issued_on`: `YYYY-MM-DD` and
 * `time`: `HH:MM`, both at the place of issue. `total_minor`: in minor units of the currency. Values that the code lacks are undefined.
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

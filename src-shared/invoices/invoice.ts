import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import type { SignatureCheck } from '#shared/invoices/signature'

/** The kinds of electronic invoices that are read: those of Brazil, and those of EN 16931. */
export type InvoiceKind = 'nfe' | 'nfce' | 'cte' | 'nfse' | 'en16931'

/** Doubts that an unchanged file never raises; the texts of both languages have them by these names. */
export const forgeryDoubts = [
  /** There is no access key, or it is none. */
  'no_key',
  'check_digit',
  /** The access key and the invoice name different issuers, numbers, series, models or months. */
  'tax_id',
  'number',
  'series',
  'model',
  'month',
  /** The issuer's own CNPJ or CPF has wrong check digits. */
  'tax_id_digits',
  /** The authorization is of another invoice. */
  'other_protocol',
  /** The signature does not fit what the file says. */
  'signature',
] as const

/** Doubts about what an unchanged file is worth. */
export const valueDoubts = [
  /** There is no authorization, or it was refused. */
  'unauthorized',
  'cancelled',
  /** Issued to try a system out. */
  'test',
  /** The total is missing, or no amount of the currency; it is never rounded. */
  'total',
] as const

/** Why an invoice should be looked at twice. */
export type InvoiceDoubt = (typeof forgeryDoubts)[number] | (typeof valueDoubts)[number]

/**
 * The data of an electronic invoice, independent of its layout. `signature`: what its signature is worth, where that was asked. `issued_on`: YYYY-MM-DD
 * at the place of issue. `total_minor`: in the minor units of `currency`. `key`: identifies the invoice; two files with the same key are
 * the same invoice. `access_key`: of 44 or 50 characters. `buyer_tax_id`: whom it was issued to, by CNPJ, CPF or VAT number.
 */
export interface Invoice {
  readonly kind: InvoiceKind
  readonly supplier: string | undefined
  readonly trade_name: string | undefined
  readonly tax_id: string | undefined
  readonly town: string | undefined
  readonly buyer_tax_id: string | undefined
  readonly number: string | undefined
  readonly series: string | undefined
  readonly issued_on: string | undefined
  readonly total_minor: number | undefined
  readonly currency: string
  readonly access_key: string | undefined
  readonly verification_code: string | undefined
  readonly key: string | undefined
  readonly doubts: readonly InvoiceDoubt[]
  readonly signature?: SignatureCheck
}

/** The invoice with what its signature is worth; one that was altered is a doubt. */
export function withSignature(invoice: Invoice, signature: SignatureCheck): Invoice {
  const doubts: readonly InvoiceDoubt[] = signature.state === 'altered' ? [...invoice.doubts, 'signature'] : invoice.doubts
  return { ...invoice, signature, doubts }
}

/** What is kept of a file of an invoice. `is_altered`: its signature does not fit what it says. */
export interface InvoiceFile extends InvoiceFacts {
  readonly is_altered?: boolean | undefined
}

/** What is kept of an invoice, for policies and to find it again. */
export function toFacts({ key, total_minor, currency, issued_on, buyer_tax_id }: Invoice): InvoiceFacts {
  return {
    ...{ key: key ?? null, total_minor: total_minor ?? null, currency: total_minor === undefined ? null : currency },
    ...{ issued_on: issued_on ?? null, buyer_tax_id: buyer_tax_id ?? null },
  }
}

import type { InvoiceFacts } from '#shared/domain/policies/invoices'

/**
 * Why a signature does not match its file. `wrapped`: it signs something other than what is read; `other_protocol`: the authorization belongs to
 * another file.
 */
export const alteredReasons = ['digest', 'wrapped', 'other_protocol'] as const
/** Why a signature could not be fully checked. */
export const uncheckedReasons = [
  'unsigned',
  'unknown_layout',
  'unknown_method',
  'unknown_certificate',
  'wrong_usage',
  'other_signer',
] as const

/**
 * The result of checking an electronic invoice's signature, as far as possible offline. `valid`: unaltered, and signed by its issuer with a
 * certificate that leads to a root; revocation is not checked. `signer`: the certificate's name.
 */
export type SignatureCheck =
  | { readonly state: 'valid'; readonly signer: string }
  | { readonly state: 'altered'; readonly reason: (typeof alteredReasons)[number] }
  | { readonly state: 'unchecked'; readonly reason: (typeof uncheckedReasons)[number] }

/** The supported kinds of electronic invoices: Brazilian ones, and those of EN 16931. */
type InvoiceKind = 'nfe' | 'nfce' | 'cte' | 'nfse' | 'en16931'

/** Doubts that an unaltered file never has; texts use these names. */
export const forgeryDoubts = [
  /** The access key is missing or invalid. */
  'no_key',
  'check_digit',
  /** The access key and the invoice have different issuers, numbers, series, models or months. */
  'tax_id',
  'number',
  'series',
  'model',
  'month',
  /** The issuer's CNPJ or CPF has wrong check digits. */
  'tax_id_digits',
  /** The authorization belongs to another invoice. */
  'other_protocol',
  /** The signature does not match the file. */
  'signature',
] as const

/** Doubts about the validity of an unaltered file. */
export const valueDoubts = [
  /** The authorization is missing or was denied. */
  'unauthorized',
  'cancelled',
  /** The invoice was issued as a test. */
  'test',
  /** The total is missing, or not a valid amount of the currency; it is never rounded. */
  'total',
] as const

/** A doubt about an invoice. */
export type InvoiceDoubt = (typeof forgeryDoubts)[number] | (typeof valueDoubts)[number]

/**
 * The data of an electronic invoice, independent of its layout. `signature`: the result of its check, if requested. `issued_on`: YYYY-MM-DD at the
 * place of issue. `total_minor`: in minor units of `currency`. `key`: identifies the invoice; two files with the same key are the same invoice.
 * `access_key`: with 44 or 50 characters. `buyer_tax_id`: the buyer's CNPJ, CPF or VAT number.
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

/** Adds the signature's result to an invoice; an altered one is a doubt. */
export function withSignature(invoice: Invoice, signature: SignatureCheck): Invoice {
  const doubts: readonly InvoiceDoubt[] = signature.state === 'altered' ? [...invoice.doubts, 'signature'] : invoice.doubts
  return { ...invoice, signature, doubts }
}

/** The stored data of an invoice's file. `is_altered`: its signature does not match its content. */
export interface InvoiceFile extends InvoiceFacts {
  readonly is_altered?: boolean | undefined
}

/** The stored data of an invoice, for policies and to find it again. */
export function toFacts({ key, total_minor, currency, issued_on, buyer_tax_id }: Invoice): InvoiceFacts {
  return {
    key: key ?? null,
    total_minor: total_minor ?? null,
    currency: total_minor === undefined ? null : currency,
    issued_on: issued_on ?? null,
    buyer_tax_id: buyer_tax_id ?? null,
  }
}

import { checkDigitOf } from '#shared/domain/modulo-11'

/** The parts of an access key. `tax_id`: 14 characters, a CPF with leading zeros. `month`: `YYMM`. Numbers have no leading zeros. */
export interface AccessKey {
  readonly tax_id: string
  readonly month: string
  readonly number: string
  /** 55 NF-e, 65 NFC-e, 57 CT-e, 67 CT-e OS; null in the key of a national NFS-e, which has no model. */
  readonly model: string | null
  readonly series: string | null
  /** Whether the check digit is right. */
  readonly is_checked: boolean
}

/** State, month, issuer, model, series, number, way of issue, code, check digit: 44 (MOC, "Chave de acesso"). */
const goodsPattern = /^\d{2}(?<month>\d{4})(?<tax_id>[A-Z0-9]{12}\d{2})(?<model>\d{2})(?<series>\d{3})(?<number>\d{9})\d{9}\d$/
/** Town, generator, kind of issuer, issuer, number, month, code, check digit: 50 (TSIdNFSe of the national NFS-e). */
const servicePattern = /^\d{7}[12][12](?<tax_id>[A-Z0-9]{12}\d{2})(?<number>\d{13})(?<month>\d{4})\d{9}\d$/

/** Parses the access key of a Brazilian electronic invoice with 44 characters or (national NFS-e) 50; undefined for other texts. */
export function readAccessKey(text: string): AccessKey | undefined {
  const { tax_id, month, number, model, series } = (goodsPattern.exec(text) ?? servicePattern.exec(text))?.groups ?? {}
  if (tax_id === undefined || month === undefined || number === undefined) return undefined
  return {
    tax_id,
    month,
    number: withoutZeros(number),
    model: model ?? null,
    series: series === undefined ? null : withoutZeros(series),
    is_checked: text.at(-1) === checkDigitOf(text.slice(0, -1)),
  }
}

/** A number without leading zeros; zero stays. */
export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '')
}

/** An access key in groups of four, as printed on paper. */
export function formatAccessKey(key: string): string {
  return key.replace(/(.{4})(?=.)/g, '$1 ')
}

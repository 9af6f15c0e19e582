import { checkDigitOf } from '#shared/domain/modulo-11'

/** A company registration: twelve digits or capital letters, and two check digits. */
const cnpjPattern = /^[A-Z0-9]{12}\d{2}$/
const cpfPattern = /^\d{11}$/

/** Whether this is a CNPJ without punctuation and with valid check digits; letters are allowed since 2026. */
export function isCnpj(text: string): boolean {
  return cnpjPattern.test(text) && !/^0+$/.test(text) && hasCheckDigits(text, 9)
}

/** Whether this is a person's CPF without punctuation and with valid check digits. */
export function isCpf(text: string): boolean {
  return cpfPattern.test(text) && !/^(.)\1*$/.test(text) && hasCheckDigits(text, 11)
}

/** Whether this is a Portuguese NIF with a valid check digit. */
export function isNif(text: string): boolean {
  return /^[1-9]\d{8}$/.test(text) && text.at(-1) === checkDigitOf(text.slice(0, -1))
}

/** A tax number for comparison: capitals and digits, without punctuation and, if Portuguese, without its country. */
export function toTaxNumber(text: string): string {
  const bare = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return bare.startsWith('PT') && isNif(bare.slice(2)) ? bare.slice(2) : bare
}

/** Whether a number from {@link toTaxNumber} belongs to a company: a CNPJ, a NIF that is not a person's, or a VAT number of another country. */
export function isCompanyNumber(number: string): boolean {
  if (isCnpj(number)) return true
  return isNif(number) ? /^[5-9]/.test(number) : /^(?!PT)[A-Z]{2}[A-Z0-9]{8,12}$/.test(number) && /\d{6}/.test(number)
}

function hasCheckDigits(text: string, heaviest: number): boolean {
  return [-2, -1].every((place) => text.at(place) === checkDigitOf(text.slice(0, place), { heaviest }))
}

/** Formats a CNPJ or CPF, recognized by length; returns others unchanged. */
export function formatTaxId(tax_id: string): string {
  if (cnpjPattern.test(tax_id)) return tax_id.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  if (cpfPattern.test(tax_id)) return tax_id.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
  return tax_id
}

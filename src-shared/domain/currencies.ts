/** The publication date of this file's ISO 4217 list of active codes. */
export const currencyListDate = '2026-01-01'

/** The ISO 4217 codes of funds, metals and testing have no minor unit ("N.A."); they count as 0 here. */
const codesByExponent: Readonly<Record<number, string>> = {
  0: `
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD
    XPF XPT XSU XTS XUA XXX
  `,
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
    GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
    LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
  `,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Withdrawn codes that records may still have, with their decimals. */
const withdrawnExponents: Readonly<Record<string, number>> = { ANG: 2, BGN: 2, CUC: 2 }

const activeExponents = Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
  codes
    .trim()
    .split(/\s+/)
    .map((code): [string, number] => [code, Number(exponent)]),
)

/** The decimals of every ISO 4217 currency: `{BRL: 2, JPY: 0, KWD: 3, …}`, including withdrawn ones. Contract section 1, "Currency codes". */
export const currencyExponents: Readonly<Record<string, number>> = Object.fromEntries(
  [...activeExponents, ...Object.entries(withdrawnExponents)].toSorted(([a], [b]) => (a < b ? -1 : 1)),
)

/** The codes in a form: active ones, and the record's own. */
export function currencyChoices(kept?: string): string[] {
  const codes = Object.keys(currencyExponents)
  return codes.filter((code) => !isWithdrawn(code) || code === kept)
}

/** Whether `code` was withdrawn from ISO 4217: existing records keep it, new ones cannot have it. */
export function isWithdrawn(code: string): boolean {
  return Object.hasOwn(withdrawnExponents, code)
}

/** Whether `code` is an ISO 4217 currency, in capitals; includes withdrawn ones. */
export function isCurrency(code: string): boolean {
  return Object.hasOwn(currencyExponents, code)
}

/**
 * The number of decimals of a currency's minor unit (0 to 4).
 * @throws RangeError if the code is not in the ISO 4217 list; check with `isCurrency` at the edge.
 */
export function exponentOf(code: string): number {
  const exponent = isCurrency(code) ? currencyExponents[code] : undefined
  if (exponent === undefined) throw new RangeError(`Not an ISO 4217 currency code: ${code}`)
  return exponent
}

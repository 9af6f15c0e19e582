/** The ISO 4217 codes of funds, metals and testing have no minor unit ("N.A."); they count as 0 here. */
const codesByExponent: Readonly<Record<number, string>> = {
  0: `
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD
    XPF XPT XSU XTS XUA XXX
  `,
  2: `
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
    GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
    LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG
  `,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Decimals of the minor unit for every active ISO 4217 code: `{BRL: 2, JPY: 0, KWD: 3, …}`. Contract section 1, "Currency codes". */
export const currencyExponents: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(codesByExponent)
    .flatMap(([exponent, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((code): [string, number] => [code, Number(exponent)]),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
)

/** Whether `code` is an active ISO 4217 code, in capitals as the list has it. */
export function isCurrency(code: string): boolean {
  return Object.hasOwn(currencyExponents, code)
}

/**
 * How many decimals the currency's minor unit has (0 to 4).
 * @throws RangeError when the code is not in the ISO 4217 list; check with `isCurrency` at the edge.
 */
export function exponentOf(code: string): number {
  const exponent = isCurrency(code) ? currencyExponents[code] : undefined
  if (exponent === undefined) throw new RangeError(`Not an ISO 4217 currency code: ${code}`)
  return exponent
}

import { currencyExponents, exponentOf } from '#shared/domain/currencies'
import { labelOf } from '#shared/readings/amount-labels'
import { type CountrySigns, findCountry } from '#shared/readings/countries'
import type { TextRow } from '#shared/readings/rows'

/** The currency of a receipt's amounts, and how likely it is. */
export interface ReadCurrency {
  readonly value: string
  readonly probability: number
}

/** Signs that one currency has. */
const own: Readonly<Record<string, string>> = {
  ...{
    BRL: String.raw`R\$`,
    MYR: 'RM',
    USD: String.raw`US\$|U\$S`,
    CAD: String.raw`CA?\$|CDN\$`,
    AUD: String.raw`AU?\$`,
    NZD: String.raw`NZ\$`,
    HKD: String.raw`HK\$`,
  },
  ...{
    SGD: String.raw`S\$|SG\$`,
    TWD: String.raw`NT\$`,
    MXN: String.raw`MX\$|M\.N\.`,
    DOP: String.raw`RD\$`,
    JMD: String.raw`J\$`,
    TTD: String.raw`TT\$`,
  },
  ...{
    NAD: String.raw`N\$`,
    EUR: '€',
    GBP: '£',
    INR: '₹',
    KRW: '₩|원',
    ILS: '₪|ש״ח',
    VND: '₫|đ',
    TRY: '₺|TL',
    UAH: '₴|грн',
    NGN: '₦',
    PHP: '₱',
  },
  ...{
    THB: '฿|บาท',
    RUB: '₽|руб',
    KZT: '₸',
    CRC: '₡',
    PYG: '₲|Gs',
    GHS: '₵|GH₵',
    JPY: '円',
    CNY: '元|RMB',
    PLN: 'z[łl]',
    CZK: 'K[čc]',
    HUF: 'Ft',
    RON: 'lei',
  },
  ...{
    BGN: 'лв',
    CHF: String.raw`SFr\.?|Fr\.`,
    IDR: 'Rp',
    PEN: String.raw`S\/\.?`,
    PAB: String.raw`B\/\.`,
    BOB: 'Bs',
    KES: 'KShs?',
    TZS: 'TSh',
    UGX: 'USh',
  },
  ...{
    KWD: String.raw`K\.?D\.?|د\.ك`,
    BHD: String.raw`B\.D\.|د\.ب`,
    OMR: String.raw`R\.O\.|ر\.ع`,
    AED: String.raw`Dhs?\.?|د\.إ`,
    SAR: String.raw`S\.R\.|ر\.س|ريال`,
    QAR: String.raw`Q\.R\.|QAR`,
  },
  ...{ EGP: String.raw`L\.E\.|ج\.م`, AOA: 'Kz', MZN: 'MTn?', XOF: 'F?CFA' },
}

/** Signs that several currencies share. */
const shared: ReadonlyArray<readonly [pattern: string, currencies: readonly string[]]> = [
  [
    String.raw`\$`,
    ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN', 'CLP', 'COP', 'ARS', 'UYU', 'DOP', 'BRL', 'NAD', 'BND', 'JMD', 'TTD'],
  ],
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['[¥]', ['JPY', 'CNY']],
  [String.raw`Rs\.?`, ['INR', 'PKR', 'LKR', 'NPR', 'MUR', 'SCR']],
  ['R', ['ZAR']],
  ['Fr', ['CHF']],
]

/** Codes of ISO 4217 that are words, too: the row of a total or the country has to agree. */
const wordLike = new Set(
  'ALL TOP TRY MOP BAM CUP GEL LAK MAD MUR NAD PEN RON SOS STN GIP COP CAD ETB ANG COU MOV NIO DOP BOB CHE CHW AMD SAR'.split(' '),
)
const codes = Object.keys(currencyExponents).filter((code) => !code.startsWith('X') || /^X[OAP][FC]|XCD|XCG/.test(code))

const number = String.raw`\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,3})?|\d+(?:\s?[.,]\s?\d{1,3})?`
/** A sign of letters begins and ends a word. */
const bounded = (sign: string) => String.raw`(?<![\p{L}$])(?:${sign})(?![\p{L}$])`
const nextTo = (sign: string) =>
  new RegExp(
    String.raw`(?<!\d)${bounded(sign)}\s?-?(?:${number})(?![\d/:])|(?<![\d/:.,-])(?:${number})\s?-?\s?${bounded(sign)}(?!\d)|\((?:${sign})\)`,
    'u',
  )
const ownSigns = Object.entries(own).map(([currency, sign]) => [currency, nextTo(sign)] as const)
const sharedSigns = shared.map(([sign, currencies]) => [nextTo(sign), currencies] as const)
const codePattern = new RegExp(String.raw`(?<![\p{L}$])(${codes.join('|')})(?![\p{L}$])`, 'gu')

/** The pattern of signs and codes next to amounts. */
export const currencySign = `(?:(?<![A-Za-z])(?:${[...codes.filter((code) => !wordLike.has(code)), ...Object.values(own), 'RS', 'Rs', 'rm', 'kr'].join('|')})|[$¥])`

const sums =
  /total|amount|price|preis|betrag|importe|montant|valor|balance|due|cash|card|visa|master|summ?[ae]|currency|wahrung|devise|moneda|moeda/

/** How likely a currency is, by what says so. */
const likely = { inTotal: 0.99, alone: 0.98, byCountry: 0.97, guessed: 0.6 }
/** From here on, the signs of a country say its currency without a sign next to an amount. */
const enough = 3

interface Written {
  readonly row: number
  readonly currency: string
}

/** The currencies that rows name by a code or sign of their own. */
function findWritten(rows: readonly TextRow[], { currencies }: CountrySigns): Written[] {
  return rows.flatMap(({ text }, row) => {
    const label = labelOf(text)
    const isSum = sums.test(label)
    const ofCodes = [...text.matchAll(codePattern)].flatMap(([code]) => {
      const isNext =
        isSum ||
        new RegExp(String.raw`${code}\s?-?\d|\d\s?${code}`, 'u').test(text) ||
        new RegExp(String.raw`\(\s?${code}\s?\)|^\s*${code}\s*$`).test(text)
      const isMeant = !wordLike.has(code) || currencies.has(code) || /total/.test(label)
      return isNext && isMeant ? [code] : []
    })
    const ofSigns = ownSigns.flatMap(([currency, sign]) => (sign.test(text) ? [currency] : []))
    return [...new Set([...ofCodes, ...ofSigns])].map((currency) => ({ row, currency }))
  })
}

/**
 * The currency of a receipt. `total`: the row of its total, whose sign decides where the receipt has several. Sure only if a sign of one currency
 * says it, or the country does; a sign that several currencies share only narrows the choice. Undefined: nothing says it.
 */
export function findCurrency(rows: readonly TextRow[], total?: number): (ReadCurrency & { readonly country: CountrySigns }) | undefined {
  const country = findCountry(rows)
  const found = choose(rows, { country, total })
  return found && { ...found, country }
}

function choose(
  rows: readonly TextRow[],
  { country, total }: { country: CountrySigns; total: number | undefined },
): ReadCurrency | undefined {
  const written = findWritten(rows, country)
  const named = new Set(written.map(({ currency }) => currency))
  const [byCountry, other] = [...country.currencies].sort(([, one], [, two]) => two - one)
  const ofTotal = new Set(written.flatMap(({ row, currency }) => (row === total ? [currency] : [])))
  const [inTotal] = ofTotal
  if (inTotal !== undefined && ofTotal.size === 1) return { value: inTotal, probability: likely.inTotal }
  const [alone] = named
  if (alone !== undefined && named.size === 1) {
    const isContradicted = byCountry !== undefined && byCountry[1] >= enough && !country.currencies.has(alone)
    return { value: alone, probability: isContradicted ? likely.guessed : likely.alone }
  }
  const agreed = [...named].filter((currency) => currency === byCountry?.[0])
  if (named.size > 1) return { value: agreed[0] ?? mostOften(written), probability: likely.guessed }
  const among = sharedSigns.find(([sign]) => rows.some(({ text }) => sign.test(text)))?.[1]
  const fitting = [...country.currencies]
    .filter(([currency]) => among === undefined || among.includes(currency))
    .sort(([, one], [, two]) => two - one)
  const [best, second] = fitting
  if (!best) return among?.length === 1 ? { value: among[0] ?? '', probability: likely.guessed } : undefined
  const isClear = best[1] - (second?.[1] ?? 0) >= 1.5
  const isFirst = best[0] === byCountry?.[0] || (byCountry?.[1] ?? 0) < enough
  const isEnough = best[1] >= (among === undefined ? enough : 2) && (other === undefined || isClear)
  return { value: best[0], probability: isClear && isFirst && isEnough ? likely.byCountry : likely.guessed }
}

function mostOften(written: readonly Written[]): string {
  const counted = [...Map.groupBy(written, ({ currency }) => currency)].sort(([, one], [, other]) => other.length - one.length)
  return counted[0]?.[0] ?? ''
}

/** Currencies that are used without decimals, though ISO 4217 gives them two. */
const seldomDecimal = new Set([
  'HUF',
  'IDR',
  'COP',
  'CZK',
  'TWD',
  'ARS',
  'RSD',
  'INR',
  'PKR',
  'AOA',
  'CRC',
  'KES',
  'NOK',
  'SEK',
  'DKK',
  'THB',
  'PHP',
  'NGN',
  'KZT',
  'UYU',
  'DOP',
])

/** How amounts of a currency are printed: with how many decimals, and whether also without. */
export interface Printed {
  readonly decimals: number
  readonly isWhole: boolean
}

/** How amounts of a currency are printed; of an unknown one, with two decimals. */
export function printedIn(currency: string | undefined): Printed {
  const decimals = currency === undefined ? 2 : exponentOf(currency)
  return { decimals, isWhole: decimals === 0 || (currency !== undefined && seldomDecimal.has(currency)) }
}

import { squeeze, type TextRow } from '#shared/readings/rows'
import { isCnpj } from '#shared/domain/tax-ids'
import { findIssuer } from '#shared/readings/tax-numbers'

/** The order of the parts of a day in digits, where a country has one. */
export type DayOrder = 'dmy' | 'mdy' | 'ymd'

/** A country of receipts. */
interface Country {
  readonly currency: string
  readonly calling: string
  /** Undefined: both days and months are written first. */
  readonly order: DayOrder | undefined
}

/** Each country with its currency and calling code; `:` and the order of its days unless that is day, month, year. */
const table = `AE AED 971,AO AOA 244,AR ARS 54,AT EUR 43,AU AUD 61,BE EUR 32,BG EUR 359,BH BHD 973,BO BOB 591,BR BRL 55,CA CAD 1:?,CH CHF 41,CL CLP 56,
CN CNY 86:ymd,CO COP 57,CR CRC 506,CV CVE 238,CZ CZK 420,DE EUR 49,DK DKK 45,DO DOP 1,EC USD 593,EE EUR 372,EG EGP 20,ES EUR 34,FI EUR 358,FR EUR 33,
GB GBP 44,GH GHS 233,GR EUR 30,GT GTQ 502,HK HKD 852,HR EUR 385,HU HUF 36:ymd,ID IDR 62,IE EUR 353,IL ILS 972,IN INR 91,IS ISK 354,IT EUR 39,JO JOD 962,
JP JPY 81:ymd,KE KES 254:?,KR KRW 82:ymd,KW KWD 965,LT EUR 370:ymd,LU EUR 352,LV EUR 371,MA MAD 212,MO MOP 853,MT EUR 356,MX MXN 52,MY MYR 60,MZ MZN 258,
NG NGN 234,NL EUR 31,NO NOK 47,NZ NZD 64,OM OMR 968,PA USD 507:?,PE PEN 51,PH PHP 63:?,PK PKR 92,PL PLN 48,PT EUR 351,PY PYG 595,QA QAR 974,RO RON 40,
RS RSD 381,RU RUB 7,SA SAR 966,SE SEK 46:ymd,SG SGD 65,SI EUR 386,SK EUR 421,TH THB 66,TN TND 216,TR TRY 90,TW TWD 886:ymd,UA UAH 380,US USD 1:mdy,
UY UYU 598,VN VND 84,ZA ZAR 27:?`

const isOrder = (text: string): text is DayOrder => text === 'mdy' || text === 'ymd'
const countries: ReadonlyMap<string, Country> = new Map(
  table.split(/,\s*/).map((row) => {
    const [code = '', currency = '', rest = ''] = row.trim().split(' ')
    const [calling = '', order] = rest.split(':')
    return [code, { currency, calling, order: order === undefined ? 'dmy' : isOrder(order) ? order : undefined }]
  }),
)

/** How much a sign of a country says: a tax number's form or words of one country are enough, and a telephone or an address with one other sign. */
const weights = { form: 3, telephone: 2, domain: 2, address: 2, language: 1.5 }

const states = 'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]'
/** Forms of tax numbers and postal codes, and names of taxes, which one country has. */
const forms: ReadonlyArray<readonly [country: string, pattern: RegExp]> = [
  [
    'BR',
    /CNPJ|\bNFC-?[eE]\b|\bCF-?e\b|[Tt]ributos|TRIBUTOS|\bICMS\b|(?:[Nn]ota|NOTA) (?:[Ff]iscal|FISCAL)|(?:[Cc]upom|CUPOM) (?:[Ff]iscal|FISCAL)/,
  ],
  ['PT', /ATCUD|\bNIPC\b|Contribuinte/i],
  ['ES', /\b(?:NIF|CIF)\b\W*(?:ES)?[A-HJNP-SUVW]-?\d{7}[\dA-J]|\bES[A-Z]\d{8}\b/],
  ['FR', /\bSIRET\b|\bTVA\b.{0,20}FR\s?\w{2}\s?\d{3}|\bFR\s?\d{2}\s?\d{9}\b|\bTTC\b.*\bTVA\b/],
  ['DE', /\bDE\s?\d{9}\b|Steuer-?N(?:umme)?r?\.?\W*\d{2,3}\/\d{3}\/\d{4,5}/i],
  ['AT', /\bATU\s?\d{8}\b/],
  ['CH', /CHE-?\s?\d{3}\.?\d{3}\.?\d{3}|\bMWST\b.*\b8\.1/],
  ['IT', /(?:P\.?\s?IVA|Partita IVA)\W*(?:IT)?\d{11}|DOCUMENTO COMMERCIALE|\bIT\d{11}\b/i],
  ['NL', /\bNL\s?\d{9}\s?B\s?\d{2}\b|\bKvK\b/],
  ['BE', /\bBE\s?0?\d{3}\.?\d{3}\.?\d{3}\b/],
  ['GB', /\b[A-Z]{1,2}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{2}\b|\bGB\s?\d{3}\s?\d{4}\s?\d{2}\b/],
  ['IE', /\bIE\s?\d{7}[A-Z]{1,2}\b/],
  ['MX', /\bRFC\b\W*[A-ZÑ&]{3,4}-?\d{6}-?[A-Z\d]{3}|\bCFDI\b/],
  ['CL', /\bR\.?U\.?T\.?\b\W*\d{1,2}\.?\d{3}\.?\d{3}-[\dK]|BOLETA ELECTR|\bSII\b/i],
  ['AR', /\bCUIT\b/],
  ['CO', /\bNIT\b\W*\d{3}/],
  ['PE', /\bRUC\b\W*[12]0\d{9}\b|\bIGV\b/],
  ['UY', /\bRUT\b\W*\d{12}\b/],
  ['AU', /\bABN\b\W*\d{2}\s?\d{3}\s?\d{3}\s?\d{3}/],
  ['NZ', /\bGST\b.{0,8}\b\d{2,3}-\d{3}-\d{3}\b/],
  ['US', new RegExp(String.raw`[A-Za-z],?\s?(?:${states}),?\s+\d{5}(?:-\d{4})?\b`)],
  ['CA', /\b[A-CEGHJ-NPR-TVXY]\d[A-CEGHJ-NPR-TV-Z]\s?\d[A-CEGHJ-NPR-TV-Z]\d\b|\d{9}\s?RT\s?\d{4}|\b(?:HST|TPS|TVQ|QST)\b/],
  ['IN', /\b\d{2}[A-Z]{5}\d{4}[A-Z]\d?Z?[A-Z\d]{1,2}\b|\b[CS]GST\b|GSTIN/],
  ['JP', /\bT\d{13}\b|登録番号|消費税|領収/],
  ['KR', /\b\d{3}-\d{2}-\d{5}\b|부가세|사업자/],
  ['AE', /\bTRN\b\W*100\d{12}\b/],
  ['SA', /\b3\d{13}3\b/],
  ['ZA', /\bVAT\b.{0,12}\b4\d{9}\b/],
  ['NO', /\b\d{3}\s?\d{3}\s?\d{3}\s?MVA\b|\bMVA\b/],
  ['SE', /Org\.?\s?-?nr\W*\d{6}-\d{4}/i],
  ['DK', /\bCVR\b/],
  ['FI', /Y-tunnus|\bALV\b/i],
  ['PL', /\bNIP\b\W*\d{3}|PARAGON FISKALNY|\bPTU\b/i],
  ['CZ', /\bDI[CČ]\b\W*CZ\d{8}|\bCZ\d{8,10}\b/],
  ['HU', /\b\d{8}-\d-\d{2}\b|\b[AÁ]FA\b/],
  ['RO', /\bRO\d{6,10}\b|BON FISCAL/i],
  ['TR', /\bKDV\b|\bVKN\b/],
  ['GR', /ΑΦΜ|Α\.Φ\.Μ|\bEL\d{9}\b/],
  ['SG', /\bM\d-\d{7}-\d\b|\b(?:19|20)\d{7}[A-Z]\b.*(?:GST|UEN)|UEN\W*\d{9}[A-Z]/],
  ['MY', /SDN\.?\s?BHD|\bSST\b|\(M\)|\bGST\b.{0,12}\b00\d{10}\b/i],
  ['IL', /ח\.פ|עוסק/],
  ['TH', /เลขประจำตัว|ภาษี/],
  ['ID', /\bNPWP\b|\bPPN\b|\bPB1\b/],
  ['KW', /\bKWD\b|K\.D\.|Kuwait/],
]

/** What addresses have in one country: postal codes, provinces, large cities and the country. */
const addresses: ReadonlyArray<readonly [country: string, pattern: RegExp]> = [
  ['US', /\bUSA\b|United States/],
  ['CA', /\bCanada\b|\bToronto\b|\bMontr[eé]al\b/i],
  ['GB', /United Kingdom|\bLondon\b/i],
  ['AU', /\b(?:NSW|VIC|QLD|TAS|ACT|SA|WA)\s+\d{4}\b|\bAustralia\b/],
  ['NZ', /New Zealand|\bAuckland\b/i],
  ['BR', /\bBras[ií]l\b|S[aã]o Paulo|Rio de Janeiro|\b\d{5}-\d{3}\b/i],
  ['PT', /\bPortugal\b|\b\d{4}-\d{3}\s+[A-ZÀ-Ú]|\bLisboa\b/i],
  ['MX', /\bM[eé]xico\b|\bCDMX\b|\bC\.P\.\s?\d{5}/i],
  ['CL', /\bChile\b|Santiago\b/i],
  ['AR', /Argentina|Buenos Aires|\bCABA\b/i],
  ['CO', /\bColombia\b|\bBogot[aá]\b/i],
  ['PE', /\bPer[uú]\b|\bLima\b/],
  ['UY', /Uruguay|Montevideo/i],
  ['ES', /Espa[ñn]a|\bMadrid\b|\bBarcelona\b/i],
  ['DE', /Deutschland|Germany|\bBerlin\b|M[uü]nchen|Hamburg|Frankfurt/i],
  ['AT', /[ÖO]sterreich|\bAustria\b|\bWien\b/i],
  ['CH', /Schweiz|Suisse|Svizzera|Switzerland|Z[uü]rich|Gen[eè]ve|\bBern\b|\bBasel\b|Lausanne/i],
  ['FR', /\bFrance\b|\bParis\b|\bLyon\b|Marseille/i],
  ['IT', /\bItalia\b|\bItaly\b|\bRoma\b|\bMilano\b/i],
  ['NL', /Nederland|Netherlands|Amsterdam|\b\d{4}\s[A-Z]{2}\s+[A-Z][a-z]/i],
  ['BE', /Belgi(?:um|que|[eë])|Bruxelles|Brussels?\b/i],
  ['IE', /\bIreland\b|\bDublin\b/i],
  ['JP', /\bJapan\b|Tokyo|Osaka|東京|大阪|〒/i],
  ['KR', /\bKorea\b|\bSeoul\b|서울/i],
  ['CN', /\bChina\b|Beijing|Shanghai|北京|上海/i],
  ['TW', /Taiwan|Taipei|台北/i],
  ['HK', /Hong Kong|Kowloon/i],
  ['SG', /Singapore/i],
  ['MY', /Malaysia|Kuala Lumpur|Selangor|\bJohor\b|\bJalan\b|\bJln\b|\bTaman\b|Petaling|\bKlang\b/i],
  ['IN', /\bIndia\b|Mumbai|Bengaluru|Bangalore|Delhi/i],
  ['AE', /Dubai|Abu Dhabi|\bU\.?A\.?E\b/i],
  ['SA', /Saudi|Riyadh|Jeddah/i],
  ['KW', /Kuwait/i],
  ['ZA', /South Africa|Cape Town|Johannesburg/i],
  ['SE', /Sverige|Sweden|Stockholm|G[oö]teborg/i],
  ['NO', /\bNorge\b|Norway|\bOslo\b|\bBergen\b/i],
  ['DK', /Danmark|Denmark|K[oø]benhavn/i],
  ['FI', /\bSuomi\b|Finland|Helsinki/i],
  ['PL', /Polska|Poland|Warszawa|Krak[oó]w|\b\d{2}-\d{3}\s+[A-Z]/i],
  ['CZ', /[CČ]esk[aá]|Czech|\bPraha\b/i],
  ['HU', /Magyarorsz|Hungary|Budapest/i],
  ['RO', /Rom[aâ]nia|Bucure[sș]ti/i],
  ['TR', /T[uü]rkiye|Istanbul|İstanbul|\bAnkara\b/i],
  ['GR', /\bGreece\b|Athens|ΑΘΗΝΑ/i],
  ['IL', /\bIsrael\b|Tel Aviv|תל אביב/i],
  ['TH', /Thailand|Bangkok/i],
  ['ID', /Indonesia|Jakarta/i],
  ['VN', /Vi[eệ]t\s?Nam|H[aà] N[oộ]i/i],
]

/** Words of receipts in languages that one currency goes with. */
const languages: ReadonlyArray<readonly [country: string, pattern: RegExp]> = [
  ['US', /salestax/],
  ['JP', /[\u3040-\u30ff]/],
  ['KR', /[\uac00-\ud7a3]/],
  ['SE', /attbetala|kvitto|varavmoms|kopia$/],
  ['NO', /herav|abetale|kvittering.*mva/],
  ['DK', /heraf|atbetale|bon.*moms/],
  ['FI', /yhteensa|kuitti/],
  ['PL', /sprzeda[zż]|razem|gotowka/],
  ['CZ', /celkem|uctenka|dekujeme/],
  ['HU', /osszesen|nyugta|koszonjuk/],
  ['RO', /totallei|bonfiscal|multumim/],
  ['TR', /toplam|tesekkur/],
  ['ID', /terimakasih|tunai/],
  ['IT', /scontrino|contanti|dicuiiva/],
  ['NL', /bedankt|totaal|kassabon/],
]

const amounts = /\d[.,]\d{2}(?!\d)/
const telephone = /(?:\+|(?<!\d)00)\s?\(?([1-9]\d{0,2})\)?[\s\d()./-]{6,}/g
const domain = /(?:www\.|@|https?:\/\/)[\w.-]+\.([a-z]{2})(?![\w.])/gi

/** What a receipt says of its country: each currency that its countries have, with how much says so, and the order of their days. */
export interface CountrySigns {
  readonly currencies: ReadonlyMap<string, number>
  readonly order: DayOrder | undefined
}

/** Finds the signs of a country: each sign counts once. */
export function findCountry(rows: readonly TextRow[]): CountrySigns {
  const scores = new Map<string, number>()
  const add = (country: string, weight: number) => scores.set(country, (scores.get(country) ?? 0) + weight)
  const texts = rows.map(({ text }) => text)
  // What is bought may be of anywhere.
  const addressed = texts.filter((text) => !amounts.test(text))
  const squeezed = texts.map(squeeze)
  for (const [country, form] of forms) if (texts.some((text) => form.test(text))) add(country, weights.form)
  if (texts.some((text) => hasCnpj(text))) add('BR', weights.form)
  if (!scores.has('PT') && findIssuer(rows)?.kind === 'nif') add('PT', weights.form)
  for (const [country, address] of addresses) if (addressed.some((text) => address.test(text))) add(country, weights.address)
  for (const [country, word] of languages) if (squeezed.some((text) => word.test(text))) add(country, weights.language)
  const called = new Set(addressed.flatMap((text) => [...text.matchAll(telephone)].flatMap(([, code = '']) => calledBy(code))))
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(domain)].map(([, end = '']) => (end.toLowerCase() === 'uk' ? 'GB' : end.toUpperCase()))),
  )
  for (const country of called) add(country, weights.telephone)
  for (const country of named) if (countries.has(country)) add(country, weights.domain)
  const currencies = new Map<string, number>()
  for (const [country, score] of scores) {
    const { currency = '' } = countries.get(country) ?? {}
    currencies.set(currency, Math.max(currencies.get(currency) ?? 0, score))
  }
  const [first, second] = [...scores].sort(([, one], [, other]) => other - one)
  const isClear = first !== undefined && (second === undefined || second[1] < first[1])
  return { currencies, order: isClear ? countries.get(first[0])?.order : undefined }
}

/** The one order in which the countries of a currency write days. */
export function orderOf(currency: string): DayOrder | undefined {
  const orders = new Set([...countries.values()].filter((country) => country.currency === currency).map(({ order }) => order))
  // Americans abroad pay in dollars, too.
  return currency !== 'USD' && orders.size === 1 ? [...orders][0] : undefined
}

function hasCnpj(text: string): boolean {
  return [...text.matchAll(/\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}(?!\d)/g)].some(([number]) => isCnpj(number.replaceAll(/\D/g, '')))
}

/** The countries with a calling code; of the code 1, none is known. */
function calledBy(digits: string): string[] {
  const found = [...countries].filter(([, { calling }]) => calling !== '1' && digits.startsWith(calling))
  return found.map(([code]) => code)
}

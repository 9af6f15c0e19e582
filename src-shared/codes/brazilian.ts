import { readCodedKey, type KeyedFacts } from '#shared/codes/coded-key'
import { type CodeFacts, toDay, toMinorUnits, toTaxNumber } from './facts'

/** The values in a code in addition to the key, as written there. */
interface Written {
  readonly day?: string | undefined
  readonly time?: string | undefined
  readonly total?: string | undefined
  readonly buyer?: string | undefined
}

/** Combines the key's values with the others; undefined if they contradict each other or a value is invalid: such a code is not trusted. */
function join(keyed: KeyedFacts | undefined, { day, time, total, buyer }: Written = {}): CodeFacts | undefined {
  if (!keyed) return undefined
  const issued_on = day === undefined ? undefined : toDay(day)
  const total_minor = total === undefined ? undefined : toMinorUnits(total, 'BRL')
  if (day !== undefined && issued_on?.slice(0, 7) !== keyed.month) return undefined
  if (total !== undefined && total_minor === undefined) return undefined
  return { ...keyed, currency: 'BRL', issued_on, time, total_minor, buyer_tax_id: buyer && toTaxNumber(buyer) }
}

/** Reads the bar code of an access key on a paper invoice. */
export function readKeyBars(text: string): CodeFacts | undefined {
  return join(readCodedKey(text))
}

/** Reads the address in a QR code: of an NFC-e or NF-e, CT-e, ticket, bill, or national NFS-e. */
export function readBrazilianAddress(text: string): CodeFacts | undefined {
  const values = toParameters(text)
  if (values === undefined) return undefined
  const joined = values.get('p')
  if (joined !== undefined) return readJoined(joined)
  const key = ['chnfe', 'chcte', 'chbpe', 'chnf3e', 'chnfcom', 'chave'].map((name) => values.get(name)).find(Boolean)
  if (key === undefined) return undefined
  if (key.includes('|')) return readJoined(key)
  if (isTest(values.get('tpamb'))) return undefined
  return values.has('nversao') ? readFirstVersion(key, values) : join(readCodedKey(key))
}

/** Reads versions 2 and 3: `key|version|environment|…`; a code made offline also has the day of the month and the total. */
function readJoined(text: string): CodeFacts | undefined {
  const [key = '', version = '', environment, ...rest] = text.split('|')
  if (!['2', '3'].includes(version) || isTest(environment)) return undefined
  const keyed = readCodedKey(key)
  // Version 2 ends with a secret's number and a hash. Version 3 has nothing more, or day, total, buyer and signature.
  const isOffline = version === '2' ? rest.length === 5 : rest.length >= 4
  const [day = '', total] = rest
  if (!isOffline || !keyed) return join(keyed)
  const buyer = version === '3' && rest[2] !== '' ? rest[3] : undefined
  return /^\d\d$/.test(day) ? join(keyed, { day: `${keyed.month}-${day}`, total, buyer }) : undefined
}

/** Reads version 1: the instant as hexadecimal digits of its characters, and the total. */
function readFirstVersion(key: string, values: ReadonlyMap<string, string>): CodeFacts | undefined {
  const instant = fromHex(values.get('dhemi') ?? '')
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(instant) ?? []
  return join(readCodedKey(key), { day, time, total: values.get('vnf'), buyer: values.get('cdest') })
}

/** Reads the code of a SAT receipt: `key|YYYYMMDDhhmmss|total|buyer|signature`. */
export function readSat(text: string): CodeFacts | undefined {
  const [key = '', instant = '', total, buyer, signature = ''] = text.split('|')
  const keyed = readCodedKey(key.replace(/^CFe/, ''))
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)\d\d$/.exec(instant) ?? []
  if (keyed?.document !== 'sat' || year === undefined || signature === '') return undefined
  return join(keyed, { day: `${year}-${month}-${day}`, time: `${hour}:${minute}`, total, buyer })
}

function isTest(environment: string | undefined): boolean {
  return environment !== undefined && environment !== '1'
}

/** The parameters of an address, with lower-case names; undefined if the text is not an address. */
function toParameters(text: string): ReadonlyMap<string, string> | undefined {
  const [, query] = /^https?:\/\/[^?#\s]+\?([^#\s]+)/i.exec(text) ?? []
  if (query === undefined) return undefined
  const pairs = query.split('&').map((pair) => decode(pair).split(/=(.*)/s, 2))
  const values = new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]))
  // A repeated name could be shown one way and read another.
  return values.size === pairs.length ? values : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromHex(digits: string): string {
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(digits) ? (digits.match(/../g) ?? []) : []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)))
}

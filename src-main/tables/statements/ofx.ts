import { type Booking, type StatementEntry, joinTexts, plainDay, plainDecimal, problemAt } from './entry'
import { readMarkup } from './markup'

const outward = new Set(['DEBIT', 'POS', 'FEE', 'SRVCHG', 'ATM', 'CHECK', 'CASH', 'DIRECTDEBIT', 'REPEATPMT'])
const inward = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'PAYMENT'])
const fees = new Set(['FEE', 'SRVCHG', 'INT'])

/** A transaction that is being read: its values by tag, and those of its currency. */
interface Opened {
  readonly line: number
  readonly values: Map<string, string>
  abroad: 'CURRENCY' | 'ORIGCURRENCY' | undefined
}

/** The transactions of an OFX file, version 1 (SGML, without closing tags) or 2 (XML). */
export function* readOfx(text: Iterable<string>): Generator<StatementEntry> {
  let opened: Opened | undefined
  let tag = ''
  let currency: string | null = null
  let isWhole = false
  let last = 1
  for (const token of readMarkup(text)) {
    last = token.line
    if (token.kind === 'cut') break
    if (token.kind === 'text') {
      if (tag === 'CURDEF') currency = token.text.toUpperCase()
      else if (opened && tag !== '') opened.values.set(tag, token.text)
      tag = ''
      continue
    }
    const name = token.name.toUpperCase()
    if (token.kind === 'close') {
      if (name === 'OFX') isWhole = true
      if (name === 'STMTTRN' && opened) {
        yield toBooking(opened, currency)
        opened = undefined
      }
      continue
    }
    tag = name
    if (opened && (name === 'CURRENCY' || name === 'ORIGCURRENCY')) opened.abroad = name
    if (name !== 'STMTTRN') continue
    if (opened) yield toBooking(opened, currency)
    opened = { line: token.line, values: new Map(), abroad: undefined }
  }
  if (opened) yield problemAt(opened.line, 'truncated')
  else if (!isWhole) yield problemAt(last, 'truncated_end')
}

function toBooking({ line, values, abroad }: Opened, currency: string | null): StatementEntry {
  const day = plainDay(values.get('DTPOSTED') ?? values.get('DTUSER') ?? '')
  if (day === undefined) return problemAt(line, 'no_day', { text: values.get('DTPOSTED') ?? '' })
  const amount = plainDecimal(values.get('TRNAMT') ?? '')
  if (amount === undefined) return problemAt(line, 'no_amount', { text: values.get('TRNAMT') ?? '' })
  const type = (values.get('TRNTYPE') ?? '').toUpperCase()
  const foreign = abroad === undefined ? undefined : values.get('CURSYM')?.toUpperCase()
  return {
    ...{ kind: 'booking', line, day, amount },
    // `CURRENCY`: the amount is in this currency; `ORIGCURRENCY`: it was converted from this currency.
    currency: abroad === 'CURRENCY' && foreign !== undefined ? foreign : currency,
    text: joinTexts(values.get('NAME'), values.get('MEMO')),
    reference: values.get('FITID')?.trim() || null,
    direction: outward.has(type) ? 'out' : inward.has(type) ? 'in' : null,
    type: fees.has(type) ? 'fee' : type === 'PAYMENT' ? 'payment' : null,
    original: originalOf(abroad, foreign, values.get('CURRATE')),
  }
}

function originalOf(abroad: Opened['abroad'], currency: string | undefined, rate: string | undefined): Booking['original'] {
  if (abroad !== 'ORIGCURRENCY' || currency === undefined) return null
  return { amount: null, currency, rate: plainDecimal(rate ?? '') ?? null }
}

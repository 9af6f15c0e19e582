import { type StatementEntry, joinTexts, plainDay, plainDecimal, problemAt } from './entry'
import { readLines } from './lines'

interface Field {
  readonly line: number
  readonly tag: string
  readonly lines: string[]
}

/** The fields of SWIFT messages, each with its lines. */
function* readFields(text: Iterable<string>): Generator<Field> {
  let field: Field | undefined
  for (const { line, text: written } of readLines(text)) {
    const [, tag, rest = ''] = /^(?:\{.*\})?:(\d\d[A-Z]?):(.*)$/.exec(written) ?? []
    const isEnd = /^-\}?\s*$/.test(written)
    if (tag !== undefined || isEnd) {
      if (field) yield field
      field = tag === undefined ? undefined : { line, tag, lines: [rest] }
    } else field?.lines.push(written)
  }
  if (field) yield field
}

/** The bookings and balances of MT940 messages, account after account. */
export function* readMt940(text: Iterable<string>): Generator<StatementEntry> {
  let currency: string | null = null
  let booking: StatementEntry | undefined
  let isOpen = false
  let last = 1
  for (const { line, tag, lines } of readFields(text)) {
    last = line
    if (tag !== '86' && booking) {
      yield booking
      booking = undefined
    }
    const [first = ''] = lines
    if (tag === '25') yield { kind: 'section', line, number: first.trim(), account: 'bank', continues: false }
    else if (/^6[02]/.test(tag)) {
      const balance = readBalance(first)
      if (!balance) {
        yield problemAt(line, 'no_amount', { text: first })
        continue
      }
      currency = balance.currency
      isOpen = tag.startsWith('60')
      yield { kind: 'balance', line, what: isOpen ? 'opening' : 'closing', amount: balance.amount }
      if (!isOpen && balance.day !== undefined) yield { kind: 'day', line, what: 'closing', day: balance.day }
    } else if (tag === '61') booking = toBooking(line, lines, currency)
    else if (tag === '86' && booking?.kind === 'booking') booking = { ...booking, text: joinTexts(textOf(lines), booking.text) }
  }
  if (booking) yield booking
  if (isOpen) yield problemAt(last, 'truncated_end')
}

function readBalance(text: string): { amount: string; currency: string; day: string | undefined } | undefined {
  const [, mark, day = '', currency, digits = ''] = /^([CD])(\d{6})([A-Z]{3})([\d,]+)/.exec(text) ?? []
  const amount = plainDecimal(digits.replace(/,$/, ''))
  if (currency === undefined || amount === undefined) return undefined
  return { amount: mark === 'D' ? `-${amount}` : amount, currency, day: plainDay(`20${day}`) }
}

const entryLine = /^(?<value>\d{6})(?<entered>\d{4})?(?<mark>R?[CD]|E[CD])(?:[A-Z])?(?<digits>[\d,]+)(?:[NSF][A-Z0-9]{3})?(?<rest>.*)$/

function toBooking(line: number, [first = '', ...more]: readonly string[], currency: string | null): StatementEntry {
  const { value = '', entered, mark = '', digits = '', rest = '' } = entryLine.exec(first)?.groups ?? {}
  const day = dayOf(value, entered)
  if (day === undefined) return problemAt(line, 'no_day', { text: first })
  const amount = plainDecimal(digits.replace(/,$/, ''))
  if (amount === undefined) return problemAt(line, 'no_amount', { text: digits })
  const [own = '', bank = ''] = rest.split('//')
  // A reversed debit (RD) is money back; an expected entry (EC, ED) is not booked.
  if (mark.startsWith('E')) return { kind: 'left_out', line, reason: 'pending', text: joinTexts(own, ...more) }
  const direction = mark === 'C' || mark === 'RD' ? 'in' : 'out'
  const references = [bank.trim(), own.trim()].filter((one) => one !== '' && one !== 'NONREF')
  return {
    ...{ kind: 'booking', line, day, direction, currency, type: null, balance: null, original: null },
    amount: direction === 'out' ? `-${amount}` : amount,
    text: joinTexts(...more),
    reference: references[0] ?? null,
  }
}

/** The day of entry, which has no year, next to the value day. */
function dayOf(value: string, entered: string | undefined): string | undefined {
  const whole = plainDay(`20${value}`)
  if (whole === undefined || entered === undefined) return whole
  const [year, month] = [Number(whole.slice(0, 4)), Number(whole.slice(5, 7))]
  const other = Number(entered.slice(0, 2))
  return plainDay(`${other - month > 6 ? year - 1 : month - other > 6 ? year + 1 : year}${entered}`) ?? whole
}

/** The name and purpose of field 86: German subfields (`?32`), Dutch ones (`/NAME/`), or plain lines. */
function textOf(lines: readonly string[]): string {
  if (/^\d{3}\W/.test(lines[0] ?? '')) {
    const parts = lines
      .join('')
      .split('?')
      .slice(1)
      .map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const)
    const of = (from: number, to: number) => parts.filter(([code]) => code >= from && code <= to).map(([, part]) => part)
    return joinTexts(of(32, 33).join(''), of(20, 29).join('').concat(of(60, 63).join('')))
  }
  const text = lines.join('')
  const named = (name: string) => new RegExp(String.raw`/${name}/(?:/CNTP/)?([^/]+)`).exec(text)?.[1]
  const [name, purpose] = [named('NAME'), named('REMI') ?? named('USTD')]
  return name === undefined && purpose === undefined ? joinTexts(...lines) : joinTexts(name, purpose)
}

import { exponentOf } from '#shared/domain/currencies'
import { type BookedAgainst, bookedAgainstOf, settledByOf } from '#shared/domain/exports/bookings'
import { type Purchase, purposeOf } from '#shared/domain/suppliers/purchase'
import { translate } from '#shared/i18n/translations'
import type { ExportRow } from '../export-rows'
import { countedMinor } from '../exported-expense'
import type { FileContext, Format } from './format'

/** An amount as decimal text with exactly the decimals of its currency. */
export function decimalOf({ amount_minor, currency }: { amount_minor: number; currency: string }): string {
  const digits = exponentOf(currency)
  const text = String(Math.abs(amount_minor)).padStart(digits + 1, '0')
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return amount_minor < 0 ? `-${whole}` : whole
}

/** The day of an expense. */
export function dayOf({ expense }: ExportRow): string {
  return expense.occurred_at.slice(0, 10)
}

/** Text on one line, without what no journal may hold. */
export function oneLine(text: string | null): string {
  return (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

/** The supplier and the purpose of an expense, each once. */
export function purchaseOf(expense: Purchase): string {
  return [expense.supplier_name ?? '', purposeOf(expense)]
    .map(oneLine)
    .filter((text) => text !== '')
    .join(' – ')
}

/** The accounts against which expenses are booked, below assets and liabilities: the claimants', and what is named after them. */
const against: Readonly<Record<BookedAgainst, { readonly root: string; readonly group: string; readonly unnamed: string }>> = {
  claimant: { root: 'Liabilities', group: 'Claimants', unnamed: 'Claimant' },
  advance: { root: 'Assets', group: 'Advances', unnamed: 'Claimant' },
  card: { root: 'Liabilities', group: 'Cards', unnamed: 'Card' },
}

/** The account against which an expense is booked, and whose it is: of a card its number here, since who exports may not see its name. */
function counterOf({ expense, receiver }: ExportRow) {
  const booked = bookedAgainstOf(expense)
  return { ...against[booked], name: booked === 'card' ? String(expense.corporative_card_id) : receiver }
}

/** An account name of hledger: two spaces would end it, a colon would divide it. */
function ledgerName(text: string, fallback: string): string {
  return (
    oneLine(text)
      .replace(/[:;]/g, '-')
      .replace(/^[()[\]*!]+/, '') || fallback
  )
}

/** A currency as hledger declares it: by an amount with its decimals, whose mark stands also where none follow. */
function commodityOf({ currency }: { currency: string }): string {
  return `1000.${'0'.repeat(exponentOf(currency))} ${currency}`
}

async function* hledgerLines(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncGenerator<string> {
  yield `; ${oneLine(context.title)}\ndecimal-mark .\n`
  const declared = new Set<string>()
  let count = 0
  for await (const row of rows) {
    count += 1
    const { expense, tags } = row
    const counted = countedMinor(expense)
    const amount = decimalOf(counted)
    const spent = `expenses:${ledgerName(tags[0] ?? '', 'untagged')}`
    const { root, group, name } = counterOf(row)
    const owed = `${`${root}:${group}`.toLowerCase()}:${ledgerName(name, 'unknown')}`
    // A declaration holds for the whole file: each stands before what needs it first, as nothing is known of later rows.
    const declarations = [`account ${spent}`, `account ${owed}`, `commodity ${commodityOf(counted)}`].filter((line) => !declared.has(line))
    if (declarations.length > 0) yield `\n${declarations.join('\n')}\n`
    for (const line of declarations) declared.add(line)
    const payee = oneLine(expense.supplier_name).replace(/[;|]/g, ',')
    const note = oneLine(purposeOf(expense)).replaceAll(';', ',')
    yield `\n${dayOf(row)} * (${expense.id}) ${payee ? `${payee} | ` : ''}${note}\n`
    const settled = settledByOf(expense)
    yield `    ; uid:${expense.uid}, status:${expense.status}${settled === null ? '' : `, settled:${settled}`}\n`
    yield `    ${spent}  ${amount} ${counted.currency}\n`
    yield `    ${owed}  ${negative(amount)} ${counted.currency}\n`
  }
  if (count === 0) yield `; ${translate(context.locale, 'exports:file.nothing')}\n`
}

/** The opposite of an amount. */
export function negative(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

/** A journal of hledger that passes its strict checks: each booking from its claimant's account, their advance or the card to that of its first tag. */
export const hledger: Format = { extension: 'journal', content_type: 'text/plain', withReceipts: false, write: hledgerLines }

/** Account names of Beancount: plain letters and digits, each text its own name. */
function createAccounts() {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return (root: string, text: string, fallback: string): string => {
    const key = `${root}:${text}`
    const known = names.get(key)
    if (known !== undefined) return known
    const plain = text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
    const base = `${root}:${plain === '' ? fallback : plain.charAt(0).toUpperCase() + plain.slice(1)}`
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
    taken.add(name)
    names.set(key, name)
    return name
  }
}

const quoted = (text: string | null) => `"${oneLine(text).replace(/["\\]/g, '\\$&')}"`

async function* beancountLines(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncGenerator<string> {
  yield `; ${oneLine(context.title)}\noption "title" ${quoted(translate(context.locale, 'exports:file.name'))}\n`
  const account = createAccounts()
  const opened = new Map<string, { text: string; day: string }>()
  const use = (name: string, text: string, day: string) => {
    const known = opened.get(name)
    if (!known || day < known.day) opened.set(name, { text, day })
    return name
  }
  let count = 0
  for await (const row of rows) {
    count += 1
    const { expense, tags } = row
    const day = dayOf(row)
    const counted = countedMinor(expense)
    const amount = decimalOf(counted)
    const tag = tags[0] ?? ''
    yield `\n${day} * ${quoted(expense.supplier_name)} ${quoted(purposeOf(expense))}\n`
    const settled = settledByOf(expense)
    yield `  expense: "${expense.id}"\n  uid: "${expense.uid}"\n  status: "${expense.status}"\n`
    if (settled !== null) yield `  settled: "${settled}"\n`
    yield `  ${use(account('Expenses', tag, tag === '' ? 'Untagged' : 'Tag'), tag, day)}  ${amount} ${counted.currency}\n`
    const { root, group, unnamed, name } = counterOf(row)
    yield `  ${use(account(`${root}:${group}`, name, unnamed), name, day)}  ${negative(amount)} ${counted.currency}\n`
  }
  if (count === 0) yield `; ${translate(context.locale, 'exports:file.nothing')}\n`
  for (const [name, { text, day }] of opened) yield `\n${day} open ${name}\n  name: ${quoted(text)}\n`
}

/** A journal of Beancount, with the accounts that it uses. */
export const beancount: Format = { extension: 'beancount', content_type: 'text/plain', withReceipts: false, write: beancountLines }

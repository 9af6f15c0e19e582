import { guardFormula, toCsvCell } from '#shared/domain/csv-cell'
import { DomainError } from '#shared/domain/errors'
import type { ExportRow } from '../export-rows'
import { countedMinor } from '../exported-expense'
import type { FileContext, Format } from './format'
import { dayOf, decimalOf, oneLine } from './journals'

const line = (cells: ReadonlyArray<string | number | null>) => `${cells.map((cell) => toCsvCell(cell)).join(',')}\r\n`

/** What a booking says of an expense, for every program alike. */
function bookingOf(row: ExportRow) {
  const { expense, receiver, receiver_email, tags } = row
  const counted = countedMinor(expense)
  return {
    number: `OUTLAY-${expense.id}`,
    day: dayOf(row),
    amount: decimalOf(counted),
    currency: counted.currency,
    claimant: receiver,
    email: receiver_email ?? '',
    account: tags[0] ?? '',
    memo: [expense.supplier_name, expense.description]
      .map((text) => oneLine(text))
      .filter((text) => text !== '')
      .join(' – '),
  }
}

const quickbooksColumns = [
  ...['Bill No', 'Vendor', 'Bill Date', 'Due Date', 'Memo', 'Account', 'Line Description', 'Line Amount', 'Currency'],
]

async function* quickbooksLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  yield line(quickbooksColumns)
  for await (const row of rows) {
    const { number, day, amount, currency, claimant, account, memo } = bookingOf(row)
    yield line([number, claimant, day, day, memo, account, memo, amount, currency])
  }
}

/** Bills of QuickBooks Online, one for each expense, owed to its claimant. */
export const quickbooks: Format = {
  extension: 'csv',
  content_type: 'text/csv',
  withReceipts: false,
  write: quickbooksLines,
}

/** The columns of Xero's template for bills; those with a star must be filled. */
const xeroColumns = [
  ...[
    '*ContactName',
    'EmailAddress',
    'POAddressLine1',
    'POAddressLine2',
    'POAddressLine3',
    'POAddressLine4',
    'POCity',
    'PORegion',
  ],
  ...['POPostalCode', 'POCountry', '*InvoiceNumber', '*InvoiceDate', '*DueDate', 'Total', 'InventoryItemCode', 'Description'],
  ...['*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount', 'TrackingName1', 'TrackingOption1', 'TrackingName2'],
  ...['TrackingOption2', 'Currency'],
]

async function* xeroLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  yield line(xeroColumns)
  for await (const row of rows) {
    const { number, day, amount, currency, claimant, email, account, memo } = bookingOf(row)
    yield line([
      ...[claimant, email, '', '', '', '', '', '', '', '', number, day, day, amount, '', memo],
      ...['1', amount, account, 'Tax Exempt', '', '', '', '', '', currency],
    ])
  }
}

/** Bills of Xero, one for each expense, owed to its claimant. */
export const xero: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: xeroLines }

/** Text of a DATEV file, quoted, of at most so many characters. */
const datevText = (text: string, most: number) =>
  `"${[...guardFormula(oneLine(text))].slice(0, most).join('').replaceAll('"', '""')}"`

/** How many columns a batch of bookings has (format version 13). */
const datevColumns = 125
/** The accounts of the standard chart SKR03 that stand in until an organization names its own: other costs, and debts to staff. */
const costAccount = '4900'
const claimantAccount = '1740'

function datevBooking(row: ExportRow): string {
  const { number, day, amount, currency, claimant, memo, account } = bookingOf(row)
  const isNegative = amount.startsWith('-')
  const cells = Array.from({ length: datevColumns }, () => '')
  const set = (place: number, value: string) => (cells[place - 1] = value)
  set(1, amount.replace('-', '').replace('.', ','))
  set(2, isNegative ? '"H"' : '"S"')
  set(3, `"${currency}"`)
  set(7, costAccount)
  set(8, claimantAccount)
  set(10, `${day.slice(8, 10)}${day.slice(5, 7)}`)
  set(11, datevText(number, 36))
  set(14, datevText(memo === '' ? claimant : memo, 60))
  set(21, datevText('Mitarbeiter', 20))
  set(22, datevText(claimant, 210))
  set(23, datevText('Tag', 20))
  set(24, datevText(account, 210))
  return `${cells.join(';')}\r\n`
}

const datevNames: Readonly<Record<number, string>> = {
  ...{ 1: 'Umsatz (ohne Soll/Haben-Kz)', 2: 'Soll/Haben-Kennzeichen', 3: 'WKZ Umsatz', 4: 'Kurs', 5: 'Basis-Umsatz' },
  ...{ 6: 'WKZ Basis-Umsatz', 7: 'Konto', 8: 'Gegenkonto (ohne BU-Schlüssel)', 9: 'BU-Schlüssel', 10: 'Belegdatum' },
  ...{ 11: 'Belegfeld 1', 12: 'Belegfeld 2', 13: 'Skonto', 14: 'Buchungstext', 15: 'Postensperre', 16: 'Diverse Adressnummer' },
  ...{ 21: 'Beleginfo - Art 1', 22: 'Beleginfo - Inhalt 1', 23: 'Beleginfo - Art 2', 24: 'Beleginfo - Inhalt 2' },
}

/** The one-byte text that the format asks for; what it cannot hold becomes a question mark. */
function toLatin(text: string): Uint8Array {
  const plain = text.replaceAll('–', '-').replaceAll('€', 'EUR').normalize('NFC')
  return Buffer.from([...plain].map((sign) => ((sign.codePointAt(0) ?? 0) < 256 ? sign : '?')).join(''), 'latin1')
}

const refused = (code: string) => new DomainError({ kind: 'not_possible', code })

/** The header wants the span of the bookings: they are gathered first, as text. */
async function* datevLines(rows: AsyncIterable<ExportRow>, { made_at, made_by }: FileContext): AsyncGenerator<Uint8Array> {
  const bookings: string[] = []
  let [from, to] = ['9999-12-31', '0000-01-01']
  for await (const row of rows) {
    const day = dayOf(row)
    from = day < from ? day : from
    to = day > to ? day : to
    if (countedMinor(row.expense).currency !== 'EUR') throw refused('export.only_euros')
    bookings.push(datevBooking(row))
  }
  // A booking has a day and no year: the year is the batch's.
  if (bookings.length > 0 && from.slice(0, 4) !== to.slice(0, 4)) throw refused('export.one_year')
  if (bookings.length === 0) from = to = made_at.toISOString().slice(0, 10)
  const compact = (day: string) => day.replaceAll('-', '')
  const header = [
    ...[
      '"EXTF"',
      '700',
      '21',
      '"Buchungsstapel"',
      '13',
      made_at.toISOString().replace(/[-:.TZ]/g, ''),
      '',
      '"OU"',
      datevText(made_by, 25),
      '""',
    ],
    ...['1001', '1', `${from.slice(0, 4)}0101`, '4', compact(from), compact(to), '"Outlay"', '""', '1', '0', '0', '"EUR"'],
    ...['', '""', '', '', '"03"', '', '', '""', '""'],
  ]
  yield toLatin(`${header.join(';')}\r\n`)
  const names = Array.from({ length: datevColumns }, (_, index) => datevNames[index + 1] ?? `Feld ${index + 1}`)
  yield toLatin(`${names.join(';')}\r\n`)
  for (const booking of bookings) yield toLatin(booking)
}

/** A batch of bookings in DATEV's format for other programs' data (EXTF). */
export const datev: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: datevLines }

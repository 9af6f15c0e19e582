import { toCsvCell } from '#shared/domain/csv-cell'
import { type BookedAgainst, bookedAgainstOf } from '#shared/domain/exports/bookings'
import type { ExportRow } from '../export-rows'
import { countedMinor } from '../exported-expense'
import type { Format } from './format'
import { dayOf, decimalOf, negative, purchaseOf } from './journals'

const line = (cells: ReadonlyArray<string | number | null>) => `${cells.map((cell) => toCsvCell(cell)).join(',')}\r\n`

/** What a booking says of an expense, for every program alike. */
export function bookingOf(row: ExportRow) {
  const { expense, receiver, receiver_email, tags, numberSuffix = '' } = row
  const counted = countedMinor(expense)
  return {
    number: `OUTLAY-${expense.id}${numberSuffix}`,
    day: dayOf(row),
    amount: decimalOf(counted),
    currency: counted.currency,
    claimant: receiver,
    email: receiver_email ?? '',
    account: tags[0] ?? '',
    against: bookedAgainstOf(expense),
    memo: purchaseOf(expense),
  }
}

/** The accounts that pay a bill at once, for what nobody owes its claimant. */
const paidFrom: Readonly<Record<Exclude<BookedAgainst, 'claimant'>, string>> = { advance: 'Advances', card: 'Company cards' }

/** The lines of a bill, account and amount: the expense, and where an advance or a company card paid it, that the same bill is paid by it. */
function billLines({ account, amount, against }: ReturnType<typeof bookingOf>): ReadonlyArray<readonly [string, string]> {
  const spent = [account, amount] as const
  return against === 'claimant' ? [spent] : [spent, [paidFrom[against], negative(amount)]]
}

const quickbooksColumns = [
  ...['Bill No', 'Vendor', 'Bill Date', 'Due Date', 'Memo', 'Account', 'Line Description', 'Line Amount', 'Currency'],
]

async function* quickbooksLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  yield line(quickbooksColumns)
  for await (const row of rows) {
    const booking = bookingOf(row)
    const { number, day, currency, claimant, memo } = booking
    for (const [account, amount] of billLines(booking)) yield line([number, claimant, day, day, memo, account, memo, amount, currency])
  }
}

/** Bills of QuickBooks Online, one for each expense, owed to its claimant. */
export const quickbooks: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: quickbooksLines }

/** The columns of Xero's template for bills; those with a star must be filled. */
const xeroColumns = [
  ...['*ContactName', 'EmailAddress', 'POAddressLine1', 'POAddressLine2', 'POAddressLine3', 'POAddressLine4', 'POCity', 'PORegion'],
  ...['POPostalCode', 'POCountry', '*InvoiceNumber', '*InvoiceDate', '*DueDate', 'Total', 'InventoryItemCode', 'Description'],
  ...['*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount', 'TrackingName1', 'TrackingOption1', 'TrackingName2'],
  ...['TrackingOption2', 'Currency'],
]

async function* xeroLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  yield line(xeroColumns)
  for await (const row of rows) {
    const booking = bookingOf(row)
    const { number, day, amount: owed, currency, claimant, email, memo, against } = booking
    const total = against === 'claimant' ? owed : decimalOf({ amount_minor: 0, currency })
    for (const [account, amount] of billLines(booking))
      yield line([
        ...[claimant, email, '', '', '', '', '', '', '', '', number, day, day, total, '', memo],
        ...['1', amount, account, 'Tax Exempt', '', '', '', '', '', currency],
      ])
  }
}

/** Bills of Xero, one for each expense, owed to its claimant. */
export const xero: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: xeroLines }

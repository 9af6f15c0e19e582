import { guardFormula } from '#shared/domain/csv-cell'
import { DomainError } from '#shared/domain/errors'
import { bookedAgainstOf } from '#shared/domain/exports/bookings'
import { type DatevLayout, isDatevLayout } from '#shared/domain/exports/layout'
import type { ExportRow } from '../export-rows'
import { countedMinor } from '../exported-expense'
import { bookingOf } from './bookings'
import type { FileContext, Format } from './format'
import { dayOf, oneLine } from './journals'
import { codeOf } from './own-layout'
import { toWindows } from './windows-text'

const numbered = (texts: readonly string[], most: number) =>
  Array.from({ length: most }, (_, index) => texts.map((text) => `${text} ${index + 1}`)).flat()

/** The columns of a batch of bookings, in their order, as format version 13 names them. */
export const datevColumns: readonly string[] = [
  ...['Umsatz (ohne Soll/Haben-Kz)', 'Soll/Haben-Kennzeichen', 'WKZ Umsatz', 'Kurs', 'Basis-Umsatz', 'WKZ Basis-Umsatz'],
  ...['Konto', 'Gegenkonto (ohne BU-Schlüssel)', 'BU-Schlüssel', 'Belegdatum', 'Belegfeld 1', 'Belegfeld 2', 'Skonto'],
  ...['Buchungstext', 'Postensperre', 'Diverse Adressnummer', 'Geschäftspartnerbank', 'Sachverhalt', 'Zinssperre', 'Beleglink'],
  ...numbered(['Beleginfo - Art', 'Beleginfo - Inhalt'], 8),
  ...['KOST1 - Kostenstelle', 'KOST2 - Kostenstelle', 'Kost-Menge', 'EU-Land u. UStID (Bestimmung)', 'EU-Steuersatz (Bestimmung)'],
  ...['Abw. Versteuerungsart', 'Sachverhalt L+L', 'Funktionsergänzung L+L', 'BU 49 Hauptfunktionstyp'],
  ...['BU 49 Hauptfunktionsnummer', 'BU 49 Funktionsergänzung'],
  ...numbered(['Zusatzinformation - Art', 'Zusatzinformation - Inhalt'], 20),
  ...['Stück', 'Gewicht', 'Zahlweise', 'Forderungsart', 'Veranlagungsjahr', 'Zugeordnete Fälligkeit', 'Skontotyp', 'Auftragsnummer'],
  ...['Buchungstyp', 'USt-Schlüssel (Anzahlungen)', 'EU-Land (Anzahlungen)', 'Sachverhalt L+L (Anzahlungen)'],
  ...['EU-Steuersatz (Anzahlungen)', 'Erlöskonto (Anzahlungen)', 'Herkunft-Kz', 'Buchungs GUID', 'KOST-Datum', 'SEPA-Mandatsreferenz'],
  ...['Skontosperre', 'Gesellschaftername', 'Beteiligtennummer', 'Identifikationsnummer', 'Zeichnernummer', 'Postensperre bis'],
  ...['Bezeichnung SoBil-Sachverhalt', 'Kennzeichen SoBil-Buchung', 'Festschreibung', 'Leistungsdatum', 'Datum Zuord. Steuerperiode'],
  ...['Fälligkeit', 'Generalumkehr (GU)', 'Steuersatz', 'Land', 'Abrechnungsreferenz', 'BVV-Position', 'EU-Land u. UStID (Ursprung)'],
  ...['EU-Steuersatz (Ursprung)', 'Abw. Skontokonto'],
]

/** What stands in until an organization enters its numbers: SKR03's other costs, debts to staff, advances to staff, and credit cards. */
const placeholders: DatevLayout = {
  kind: 'datev',
  adviser: '1001',
  client: '1',
  first_month: 1,
  account_digits: 4,
  codes: { tag: {}, claimant: {}, against: { advance: '1530', card: '1730' } },
  otherwise: { tag: '4900', claimant: '1740' },
}

const refused = (code: string) => new DomainError({ kind: 'not_possible', code })

/** Text of a DATEV file, quoted, of at most so many characters. */
const datevText = (text: string, most: number) => `"${[...guardFormula(oneLine(text))].slice(0, most).join('').replaceAll('"', '""')}"`

/** The account that an expense is booked against. Throws where the organization has entered none for advances or company cards. */
function counterAccount(row: ExportRow, layout: DatevLayout): string {
  const account = codeOf(row, 'against', layout)
  if (account !== undefined) return account
  if (bookedAgainstOf(row.expense) !== 'claimant') throw refused('export.no_paying_account')
  return layout.otherwise.claimant
}

function toBooking(row: ExportRow, layout: DatevLayout): string {
  const { number, day, amount, currency, claimant, memo, account: tag } = bookingOf(row)
  const cells: Readonly<Record<string, string>> = {
    'Umsatz (ohne Soll/Haben-Kz)': amount.replace('-', '').replace('.', ','),
    'Soll/Haben-Kennzeichen': amount.startsWith('-') ? '"H"' : '"S"',
    'WKZ Umsatz': `"${currency}"`,
    Konto: codeOf(row, 'tag', layout) ?? layout.otherwise.tag,
    'Gegenkonto (ohne BU-Schlüssel)': counterAccount(row, layout),
    Belegdatum: `${day.slice(8, 10)}${day.slice(5, 7)}`,
    'Belegfeld 1': datevText(number, 36),
    Buchungstext: datevText(memo === '' ? claimant : memo, 60),
    'Beleginfo - Art 1': datevText('Mitarbeiter', 20),
    'Beleginfo - Inhalt 1': datevText(claimant, 210),
    'Beleginfo - Art 2': datevText('Tag', 20),
    'Beleginfo - Inhalt 2': datevText(tag, 210),
  }
  return `${datevColumns.map((name) => cells[name] ?? '').join(';')}\r\n`
}

/** The first day of the fiscal year in which a day is: `2026-01-01`. */
function yearStart(day: string, { first_month }: DatevLayout): string {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < first_month ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(first_month).padStart(2, '0')}-01`
}

const isInEuros = ({ expense }: ExportRow) => countedMinor(expense).currency === 'EUR'

/** The bookings of the expenses among these that are in euros, for a preview. */
export async function* datevPreview(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>, layout: DatevLayout): AsyncGenerator<string> {
  for await (const row of rows) if (isInEuros(row)) yield toBooking(row, layout).replace(/;+\r\n$/, '')
}

function headerOf({ from, to, layout, context }: { from: string; to: string; layout: DatevLayout; context: FileContext }): string {
  const { made_at, made_by } = context
  const compact = (day: string) => day.replaceAll('-', '')
  const madeAt = made_at.toISOString().replace(/[-:.TZ]/g, '')
  const cells = [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', madeAt, '', '"OU"', datevText(made_by, 25), '""'],
    ...[layout.adviser, layout.client, compact(yearStart(from, layout)), String(layout.account_digits)],
    ...[compact(from), compact(to), '"Outlay"', '""', '1', '0', '0', '"EUR"', '', '""', '', '', '"03"', '', '', '""', '""'],
  ]
  return `${cells.join(';')}\r\n`
}

/** The header wants the span of the bookings: they are gathered first, as text. */
async function* datevLines(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncGenerator<Uint8Array> {
  const layout = context.layout && isDatevLayout(context.layout) ? context.layout : placeholders
  const bookings: string[] = []
  let [from, to] = ['9999-12-31', '0000-01-01']
  for await (const row of rows) {
    const day = dayOf(row)
    from = day < from ? day : from
    to = day > to ? day : to
    if (!isInEuros(row)) throw refused('export.only_euros')
    bookings.push(toBooking(row, layout))
  }
  // A booking has a day and no year: the year is the batch's.
  if (bookings.length > 0 && yearStart(from, layout) !== yearStart(to, layout)) throw refused('export.one_year')
  if (bookings.length === 0) from = to = context.made_at.toISOString().slice(0, 10)
  yield toWindows(headerOf({ from, to, layout, context }))
  yield toWindows(`${datevColumns.join(';')}\r\n`)
  for (const booking of bookings) yield toWindows(booking)
}

/** A batch of bookings in DATEV's format for other programs' data (EXTF). */
export const datev: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: datevLines }

/** The export formats of expenses, in the order of screens. */
export const exportFormats = [
  ...(['csv', 'xlsx', 'pdf', 'zip', 'json', 'hledger', 'beancount', 'datev', 'quickbooks', 'xero'] as const),
  /** An export profile's format. */
  'profile',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The formats that list expenses unchanged. All others are for accounting and have bookings. */
const lists: ReadonlySet<ExportFormat> = new Set(['csv', 'xlsx', 'pdf', 'zip', 'json'])

/** Whether a file in this format has bookings, and so leaves out unapproved expenses. */
export function isOfBookings(format: ExportFormat): boolean {
  return !lists.has(format)
}

/** The formats that expenses can be exported in, in the order in which screens offer them. */
export const exportFormats = [
  ...(['csv', 'xlsx', 'pdf', 'zip', 'json', 'hledger', 'beancount', 'datev', 'quickbooks', 'xero'] as const),
  /** As an export profile says. */
  'profile',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The formats that list expenses as they are. All others are for accounting: they have bookings. */
const lists: ReadonlySet<ExportFormat> = new Set(['csv', 'xlsx', 'pdf', 'zip', 'json'])

/** Whether a file in this format has bookings, and so leaves out what nobody approved. */
export function isOfBookings(format: ExportFormat): boolean {
  return !lists.has(format)
}

/** The formats that expenses can be exported in, in the order in which screens offer them. */
export const exportFormats = [
  ...(['csv', 'xlsx', 'pdf', 'zip', 'json', 'hledger', 'beancount', 'datev', 'quickbooks', 'xero'] as const),
  /** As an export profile says. */
  'profile',
] as const
export type ExportFormat = (typeof exportFormats)[number]

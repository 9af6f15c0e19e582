/** What is looked for in a damaged database: what people wrote, its trail, and the order in which it was written. */
export const salvagedTables = ['change_log', 'expenses', 'comments', 'attachments', 'activities', 'sync_journal'] as const

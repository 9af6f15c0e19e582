import type { ExportFormat } from './export-formats'

/** The lists of a person's visible records, across organizations or for one. */
export const listsOfPeople = [
  'reimbursements',
  'advancements',
  'advancement_devolutions',
  'accountabilities',
  'pre_expenses',
  'corporative_cards',
  'activities',
] as const
/** The lists of one organization, which an export names. */
export const listsOfOrganizations = [
  'memberships',
  'tags',
  'suppliers',
  'statement_lines',
  'closings',
  'policies',
  'approval_rules',
  'stand_ins',
] as const

/** The exportable lists other than expenses. */
export const otherLists = [...listsOfPeople, ...listsOfOrganizations] as const
export type OtherList = (typeof otherLists)[number]

/** The lists that can be exported. */
export const exportedLists = ['expenses', ...otherLists] as const

/** The formats of lists other than expenses. */
export const tableFormats = ['csv', 'xlsx', 'json'] as const satisfies readonly ExportFormat[]
export type TableFormat = (typeof tableFormats)[number]

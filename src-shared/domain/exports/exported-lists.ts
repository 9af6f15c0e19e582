import type { ExportFormat } from './export-formats'

/** The lists of what a person sees, of all organizations or of one. */
export const listsOfPeople = [
  'reimbursements',
  'advancements',
  'advancement_devolutions',
  'accountabilities',
  'pre_expenses',
  'corporative_cards',
  'activities',
] as const
/** The lists of one organization: an export names it. */
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

/** The lists that can be exported, expenses aside. */
export const otherLists = [...listsOfPeople, ...listsOfOrganizations] as const
export type OtherList = (typeof otherLists)[number]

/** The lists that can be exported. */
export const exportedLists = ['expenses', ...otherLists] as const
export type ExportedList = (typeof exportedLists)[number]

/** The formats of a list that is not of expenses: the others know what an expense is. */
export const tableFormats = ['csv', 'xlsx', 'json'] as const satisfies readonly ExportFormat[]
export type TableFormat = (typeof tableFormats)[number]

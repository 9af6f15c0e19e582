import { z } from 'zod'

/** How a profile writes days. */
export const dayFormats = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yyyy', 'yyyymmdd'] as const
export type DayFormat = (typeof dayFormats)[number]

/** What a profile puts between the cells of a row. */
export const separators = [',', ';', '\t', '|'] as const

/**
 * What a profile looks up codes by: the first tag of an expense, its claimant's e-mail address or name, or what it is booked against,
 * which is the claimant, or by these names their advance or a company card.
 */
export const codedBy = ['tag', 'claimant', 'against'] as const
export type CodedBy = (typeof codedBy)[number]
const paidFrom = z.enum(['advance', 'card'])

const name = z.string().max(200)
const column = z.discriminatedUnion('kind', [
  /** An attribute of the expense, by the name of its column in other exports. */
  z.strictObject({ kind: z.literal('attribute'), name, attribute: z.string().min(1).max(100) }),
  /** The same text in every row. */
  z.strictObject({ kind: z.literal('constant'), name, text: z.string().max(1000) }),
  /** The code of the first tag, of the claimant, or of what the expense is booked against. */
  z.strictObject({ kind: z.literal('code'), name, of: z.enum(codedBy) }),
])
export type LayoutColumn = z.infer<typeof column>

const codes = z.record(z.string().max(200), z.string().max(200)).refine((table) => Object.keys(table).length <= 2000)

/** A table with columns of the organization's own (format `profile` of exports). */
const tableLayout = z.strictObject({
  separator: z.enum(separators),
  /** Of amounts, which have the decimals of their currency and no grouping. */
  decimal: z.enum(['.', ',']),
  days: z.enum(dayFormats),
  encoding: z.enum(['utf-8', 'windows-1252']),
  /** Every cell in quotes, not only those that need them. */
  isQuoted: z.boolean(),
  /** The first row has the names of the columns. */
  hasHeader: z.boolean(),
  columns: z.array(column).min(1).max(100),
  /** The code of each tag, of each claimant, and of advances and company cards. */
  codes: z.strictObject({ tag: codes, claimant: codes, against: z.partialRecord(paidFrom, z.string().max(200)).optional() }),
  /** In place of a code that is missing. */
  otherwise: z.string().max(200),
})
export type TableLayout = z.infer<typeof tableLayout>

const account = z.string().regex(/^\d{1,9}$/)
const accounts = z.record(z.string().max(200), account).refine((table) => Object.keys(table).length <= 2000)

/** Bookings for DATEV with the organization's own numbers and accounts (format `datev` of exports). */
const datevLayout = z
  .strictObject({
    kind: z.literal('datev'),
    /** As DATEV numbers the adviser and the client. */
    adviser: z.string().regex(/^(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})$/),
    client: z.string().regex(/^[1-9]\d{0,4}$/),
    /** The month with which the fiscal year begins, from 1. */
    first_month: z.int().min(1).max(12),
    /** How many digits the accounts of the ledger have; those of creditors have one more. */
    account_digits: z.int().min(4).max(8),
    /** The account of each tag, the creditor account of each claimant, and the accounts of advances and company cards. */
    codes: z.strictObject({ tag: accounts, claimant: accounts, against: z.partialRecord(paidFrom, account).optional() }),
    /** The accounts of tags and of claimants that have none of their own. */
    otherwise: z.strictObject({ tag: account, claimant: account }),
  })
  .refine(({ account_digits, codes, otherwise }) => {
    const fits = (most: number) => (number: string) => number.length <= most
    const ledger = [...Object.values(codes.tag), ...Object.values(codes.against ?? {}), otherwise.tag]
    const creditors = [...Object.values(codes.claimant), otherwise.claimant]
    return ledger.every(fits(account_digits)) && creditors.every(fits(account_digits + 1))
  })
export type DatevLayout = z.infer<typeof datevLayout>

/** The format of an organization's files. */
export const layout = z.union([tableLayout, datevLayout])
export type Layout = z.infer<typeof layout>

/** Whether a layout is of bookings for DATEV. */
export function isDatevLayout(one: Layout): one is DatevLayout {
  return 'kind' in one
}

/** The layout that a text holds as JSON; undefined where it holds none. */
export function parseLayout(text: string): Layout | undefined {
  try {
    return layout.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

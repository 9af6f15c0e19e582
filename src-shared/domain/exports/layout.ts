import { z } from 'zod'

/** A profile's formats of days. */
export const dayFormats = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yyyy', 'yyyymmdd'] as const
export type DayFormat = (typeof dayFormats)[number]

/** A profile's cell separators. */
export const separators = [',', ';', '\t', '|'] as const

/**
 * How a profile looks up codes: by an expense's first tag, by its claimant's e-mail address or name, or by its account type: the claimant, their
 * advance or a company card.
 */
export const codedBy = ['tag', 'claimant', 'against'] as const
export type CodedBy = (typeof codedBy)[number]
const paidFrom = z.enum(['advance', 'card'])

const name = z.string().max(200)
const column = z.discriminatedUnion('kind', [
  /** An attribute of the expense, by its column's name in other exports. */
  z.strictObject({ kind: z.literal('attribute'), name, attribute: z.string().min(1).max(100) }),
  /** The same text in every row. */
  z.strictObject({ kind: z.literal('constant'), name, text: z.string().max(1000) }),
  /** The code of the first tag, the claimant, or the account type. */
  z.strictObject({ kind: z.literal('code'), name, of: z.enum(codedBy) }),
])
export type LayoutColumn = z.infer<typeof column>

const codes = z.record(z.string().max(200), z.string().max(200)).refine((table) => Object.keys(table).length <= 2000)

/** A table with an organization's own columns (format `profile` of exports). */
const tableLayout = z.strictObject({
  separator: z.enum(separators),
  /** The decimal sign of amounts, which have their currency's decimals and no groups. */
  decimal: z.enum(['.', ',']),
  days: z.enum(dayFormats),
  encoding: z.enum(['utf-8', 'windows-1252']),
  /** Whether every cell is quoted, not only those that need it. */
  isQuoted: z.boolean(),
  /** Whether the first row has the columns' names. */
  hasHeader: z.boolean(),
  columns: z.array(column).min(1).max(100),
  /** The codes of tags, claimants, and of advances and company cards. */
  codes: z.strictObject({ tag: codes, claimant: codes, against: z.partialRecord(paidFrom, z.string().max(200)).optional() }),
  /** The code if there is none. */
  otherwise: z.string().max(200),
})
export type TableLayout = z.infer<typeof tableLayout>

const account = z.string().regex(/^\d{1,9}$/)
const accounts = z.record(z.string().max(200), account).refine((table) => Object.keys(table).length <= 2000)

/** Bookings for DATEV with an organization's own numbers and accounts (format `datev` of exports). */
const datevLayout = z
  .strictObject({
    kind: z.literal('datev'),
    /** DATEV's numbers of adviser and client. */
    adviser: z.string().regex(/^(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})$/),
    client: z.string().regex(/^[1-9]\d{0,4}$/),
    /** The first month of the fiscal year, from 1. */
    first_month: z.int().min(1).max(12),
    /** The number of digits of ledger accounts; creditor accounts have one more. */
    account_digits: z.int().min(4).max(8),
    /** The accounts of tags, the creditor accounts of claimants, and the accounts of advances and company cards. */
    codes: z.strictObject({ tag: accounts, claimant: accounts, against: z.partialRecord(paidFrom, account).optional() }),
    /** The accounts of tags and claimants without their own. */
    otherwise: z.strictObject({ tag: account, claimant: account }),
  })
  .refine(({ account_digits, codes, otherwise }) => {
    const fits = (most: number) => (number: string) => number.length <= most
    const ledger = [...Object.values(codes.tag), ...Object.values(codes.against ?? {}), otherwise.tag]
    const creditors = [...Object.values(codes.claimant), otherwise.claimant]
    return ledger.every(fits(account_digits)) && creditors.every(fits(account_digits + 1))
  })
export type DatevLayout = z.infer<typeof datevLayout>

/** The format of an organization's own files. */
export const layout = z.union([tableLayout, datevLayout])
export type Layout = z.infer<typeof layout>

/** Whether a layout has bookings for DATEV. */
export function isDatevLayout(one: Layout): one is DatevLayout {
  return 'kind' in one
}

/** Parses a layout from JSON; undefined if invalid. */
export function parseLayout(text: string): Layout | undefined {
  try {
    return layout.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

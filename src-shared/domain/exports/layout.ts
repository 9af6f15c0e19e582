import { z } from 'zod'

/** How a profile writes days. */
export const dayFormats = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yyyy', 'yyyymmdd'] as const
export type DayFormat = (typeof dayFormats)[number]

/** What a profile puts between the cells of a row. */
export const separators = [',', ';', '\t', '|'] as const

/** What a profile looks up codes by: the first tag of an expense, or its claimant's e-mail address or name. */
export const codedBy = ['tag', 'claimant'] as const

const name = z.string().max(200)
const column = z.discriminatedUnion('kind', [
  /** An attribute of the expense, by the name of its column in other exports. */
  z.strictObject({ kind: z.literal('attribute'), name, attribute: z.string().min(1).max(100) }),
  /** The same text in every row. */
  z.strictObject({ kind: z.literal('constant'), name, text: z.string().max(1000) }),
  /** The code of the first tag, or of the claimant. */
  z.strictObject({ kind: z.literal('code'), name, of: z.enum(codedBy) }),
])
export type LayoutColumn = z.infer<typeof column>

const codes = z.record(z.string().max(200), z.string().max(200)).refine((table) => Object.keys(table).length <= 2000)

/** The format of an organization's files (format `profile` of exports). */
export const layout = z.strictObject({
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
  /** The code of each tag, and of each claimant. */
  codes: z.strictObject({ tag: codes, claimant: codes }),
  /** In place of a code that is missing. */
  otherwise: z.string().max(200),
})
export type Layout = z.infer<typeof layout>

/** The layout that a text holds as JSON; undefined where it holds none. */
export function parseLayout(text: string): Layout | undefined {
  try {
    return layout.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

import { z } from 'zod'
import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import {
  type CodedBy,
  type DatevLayout,
  type DayFormat,
  type LayoutColumn,
  type TableLayout,
  dayFormats,
  isDatevLayout,
  layout,
  parseLayout,
  separators,
} from '#shared/domain/exports/layout'

const profileFile = z.object({ name: z.string().max(200), layout })

/** What a profile is of: a table, or bookings for DATEV. */
const profileKinds = ['table', 'datev'] as const

/** A profile as its form holds it: each column as JSON, and codes as lines with an equals sign. */
export type ProfileForm = {
  readonly name: string
  readonly kind: string
  readonly separator: string
  readonly decimal: string
  readonly days: string
  readonly encoding: string
  readonly isQuoted: boolean
  readonly hasHeader: boolean
  readonly columns: readonly string[]
  readonly tagCodes: string
  readonly claimantCodes: string
  readonly againstCodes: string
  readonly otherwise: string
  readonly adviser: string
  readonly client: string
  readonly firstMonth: string
  readonly accountDigits: string
  readonly tagAccount: string
  readonly claimantAccount: string
}
/** The fields that cannot be stored, each with the key of why below `export-profiles`. */
export type ProfileProblems = Readonly<
  Partial<
    Record<keyof ProfileForm, 'blank' | 'noColumns' | 'badCodes' | 'badAgainst' | 'tooMuch' | 'badAccount' | 'badAdviser' | 'badClient'>
  >
>

const usual: TableLayout = {
  ...{ separator: ';', decimal: ',', days: 'dd/mm/yyyy', encoding: 'utf-8', isQuoted: false, hasHeader: true },
  columns: [],
  codes: { tag: {}, claimant: {} },
  otherwise: '',
}

/** The columns that a new profile begins with; `nameOf`: what an attribute is called. */
export function usualColumns(nameOf: (attribute: string) => string): LayoutColumn[] {
  return ['occurred_at', 'receiver', 'first_tag', 'description', 'counted_amount', 'counted_currency'].map((attribute) => ({
    ...{ kind: 'attribute', attribute, name: nameOf(attribute) },
  }))
}

const toLines = (table: Readonly<Record<string, string | undefined>>) =>
  Object.entries(table)
    .map(([key, code]) => `${key} = ${code}`)
    .join('\n')

/** What a profile says, without the record that keeps it. */
type SaidByProfile = Pick<ExportProfileRepresentation, 'name' | 'layout'>

/** The JSON of a profile, with its layout as an object. */
export function writeProfileFile({ name, layout }: SaidByProfile): string {
  return JSON.stringify({ name, layout: parseLayout(layout) }, null, 2)
}

/** The profile that such JSON holds; undefined where it holds none. */
export function readProfileFile(text: string): SaidByProfile | undefined {
  try {
    const { name, layout } = profileFile.parse(JSON.parse(text))
    return { name, layout: JSON.stringify(layout) }
  } catch {
    return undefined
  }
}

/** A profile as its form begins. `columns`: those of a new one. */
export function toProfileForm(profile: SaidByProfile | undefined, columns: readonly LayoutColumn[]): ProfileForm {
  const layout = (profile && parseLayout(profile.layout)) ?? { ...usual, columns: [...columns] }
  const isDatev = isDatevLayout(layout)
  const { codes: _codes, ...table } = isDatev ? { ...usual, columns: [...columns] } : layout
  return {
    ...{ name: profile?.name ?? '', kind: isDatev ? 'datev' : 'table' },
    ...{ ...table, columns: table.columns.map((column) => JSON.stringify(column)) },
    ...{
      tagCodes: toLines(layout.codes.tag),
      claimantCodes: toLines(layout.codes.claimant),
      againstCodes: toLines(layout.codes.against ?? {}),
    },
    ...datevFields(isDatev ? layout : undefined),
  }
}

const datevFields = (layout: DatevLayout | undefined) => ({
  ...{ adviser: layout?.adviser ?? '', client: layout?.client ?? '' },
  ...{ firstMonth: String(layout?.first_month ?? 1), accountDigits: String(layout?.account_digits ?? 4) },
  ...{ tagAccount: layout?.otherwise.tag ?? '4900', claimantAccount: layout?.otherwise.claimant ?? '1740' },
})

/** The code of each name; undefined where a line has none. */
function readCodes(text: string): Record<string, string> | undefined {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.lastIndexOf('=')
      return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()] as const
    })
  return pairs.every(([key, code]) => key !== '' && code !== '') ? Object.fromEntries(pairs) : undefined
}

/** A column of the form; undefined where it is none. */
export function readColumn(text: string): LayoutColumn | undefined {
  const layout = parseLayout(JSON.stringify({ ...usual, columns: [JSON.parse(text)] }))
  return layout && !isDatevLayout(layout) ? layout.columns[0] : undefined
}

type ReadForm =
  | { readonly kind: 'ok'; readonly fields: { name: string; layout: string } }
  | { readonly kind: 'wrong'; readonly problems: ProfileProblems }

/** What a form means, or what is wrong with it. */
export function readProfileForm(form: ProfileForm): ReadForm {
  const codes = { tag: readCodes(form.tagCodes), claimant: readCodes(form.claimantCodes), against: readCodes(form.againstCodes) }
  const { layout, problems: others } = form.kind === 'datev' ? readBookings(form, codes) : readTable(form, codes)
  const problems: ProfileProblems = {
    ...(form.name.trim() === '' ? { name: 'blank' } : {}),
    ...others,
    ...(codes.tag ? {} : { tagCodes: 'badCodes' }),
    ...(codes.claimant ? {} : { claimantCodes: 'badCodes' }),
    ...(codes.against && Object.keys(codes.against).every((name) => name === 'advance' || name === 'card')
      ? {}
      : { againstCodes: 'badAgainst' }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems }
  return { kind: 'ok', fields: { name: form.name.trim(), layout } }
}

type Codes = Record<CodedBy, Record<string, string> | undefined>
type ReadLayout = { readonly layout: string; readonly problems: ProfileProblems }

function readTable(form: ProfileForm, { tag, claimant, against }: Codes): ReadLayout {
  const columns = form.columns.flatMap((text) => readColumn(text) ?? [])
  const { separator, decimal, days, encoding, isQuoted, hasHeader, otherwise } = form
  const layout = JSON.stringify({
    ...{ separator, decimal, days, encoding, isQuoted, hasHeader, columns, otherwise },
    codes: { tag: tag ?? {}, claimant: claimant ?? {}, against: against ?? {} },
  })
  const isWhole = parseLayout(layout) !== undefined
  return { layout, problems: columns.length === 0 ? { columns: 'noColumns' } : isWhole ? {} : { columns: 'tooMuch' } }
}

function readBookings(form: ProfileForm, { tag = {}, claimant = {}, against = {} }: Codes): ReadLayout {
  const [adviser, client] = [form.adviser.trim(), form.client.trim()]
  const account_digits = Number(form.accountDigits)
  const otherwise = { tag: form.tagAccount.trim(), claimant: form.claimantAccount.trim() }
  const numbers = { adviser, client, first_month: Number(form.firstMonth), account_digits }
  const layout = JSON.stringify({ kind: 'datev', ...numbers, codes: { tag, claimant, against }, otherwise })
  const isAccount = (most: number) => (text: string) => /^\d+$/.test(text) && text.length <= most
  const problems: ProfileProblems = {
    ...(/^\d{4,7}$/.test(adviser) && Number(adviser) > 1000 ? {} : { adviser: 'badAdviser' }),
    ...(/^[1-9]\d{0,4}$/.test(client) ? {} : { client: 'badClient' }),
    ...(isAccount(account_digits)(otherwise.tag) ? {} : { tagAccount: 'badAccount' }),
    ...(isAccount(account_digits + 1)(otherwise.claimant) ? {} : { claimantAccount: 'badAccount' }),
    ...(Object.values(tag).every(isAccount(account_digits)) ? {} : { tagCodes: 'badAccount' }),
    ...(Object.values(claimant).every(isAccount(account_digits + 1)) ? {} : { claimantCodes: 'badAccount' }),
    ...(Object.values(against).every(isAccount(account_digits)) ? {} : { againstCodes: 'badAccount' }),
  }
  if (Object.keys(problems).length > 0 || parseLayout(layout)) return { layout, problems }
  return { layout, problems: { tagCodes: 'tooMuch' } }
}

/** The choices of the fields that have few. */
export const choices = {
  kind: [...profileKinds],
  firstMonth: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'],
  accountDigits: ['4', '5', '6', '7', '8'],
  separator: [...separators],
  decimal: [',', '.'],
  days: [...dayFormats] satisfies DayFormat[],
  encoding: ['utf-8', 'windows-1252'],
} as const

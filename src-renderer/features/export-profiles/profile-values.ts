import type { ExportProfileRepresentation } from '#shared/contract/organization-records/export-profiles'
import { type DayFormat, type Layout, type LayoutColumn, dayFormats, parseLayout, separators } from '#shared/domain/exports/layout'

/** A profile as its form holds it: each column as JSON, and codes as lines with an equals sign. */
export type ProfileForm = {
  readonly name: string
  readonly separator: string
  readonly decimal: string
  readonly days: string
  readonly encoding: string
  readonly isQuoted: boolean
  readonly hasHeader: boolean
  readonly columns: readonly string[]
  readonly tagCodes: string
  readonly claimantCodes: string
  readonly otherwise: string
}
/** The fields that cannot be stored, each with the key of why below `export-profiles`. */
export type ProfileProblems = Readonly<Partial<Record<keyof ProfileForm, 'blank' | 'noColumns' | 'badCodes' | 'tooMuch'>>>

const usual: Layout = {
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

const toLines = (table: Readonly<Record<string, string>>) =>
  Object.entries(table)
    .map(([key, code]) => `${key} = ${code}`)
    .join('\n')

/** A profile as its form begins. `columns`: those of a new one. */
export function toProfileForm(profile: ExportProfileRepresentation | undefined, columns: readonly LayoutColumn[]): ProfileForm {
  const { codes, ...layout } = (profile && parseLayout(profile.layout)) ?? { ...usual, columns: [...columns] }
  return {
    name: profile?.name ?? '',
    ...{ ...layout, columns: layout.columns.map((column) => JSON.stringify(column)) },
    ...{ tagCodes: toLines(codes.tag), claimantCodes: toLines(codes.claimant) },
  }
}

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
  return parseLayout(JSON.stringify({ ...usual, columns: [JSON.parse(text)] }))?.columns[0]
}

/** What a form means, or what is wrong with it. */
export function readProfileForm(
  form: ProfileForm,
):
  | { readonly kind: 'ok'; readonly fields: { name: string; layout: string } }
  | { readonly kind: 'wrong'; readonly problems: ProfileProblems } {
  const tag = readCodes(form.tagCodes)
  const claimant = readCodes(form.claimantCodes)
  const columns = form.columns.flatMap((text) => readColumn(text) ?? [])
  const { separator, decimal, days, encoding, isQuoted, hasHeader, otherwise } = form
  const layout = JSON.stringify({
    ...{ separator, decimal, days, encoding, isQuoted, hasHeader, columns, otherwise },
    codes: { tag: tag ?? {}, claimant: claimant ?? {} },
  })
  const isWhole = parseLayout(layout) !== undefined
  const problems: ProfileProblems = {
    ...(form.name.trim() === '' ? { name: 'blank' } : {}),
    ...(columns.length === 0 ? { columns: 'noColumns' } : isWhole ? {} : { columns: 'tooMuch' }),
    ...(tag ? {} : { tagCodes: 'badCodes' }),
    ...(claimant ? {} : { claimantCodes: 'badCodes' }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems }
  return { kind: 'ok', fields: { name: form.name.trim(), layout } }
}

/** The choices of the fields that have few. */
export const choices = {
  separator: [...separators],
  decimal: [',', '.'],
  days: [...dayFormats] satisfies DayFormat[],
  encoding: ['utf-8', 'windows-1252'],
} as const

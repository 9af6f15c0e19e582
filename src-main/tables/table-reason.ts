import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'

/** Why a row or file cannot be read: a code of the texts `import:reasons`, and their values. */
export interface TableReason {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** A reason in the reader's language. */
export function wordReason(locale: Language, { code, params }: TableReason): string {
  return translate(locale, `import:reasons.${code}`, params)
}

/** The file as a whole cannot be read; each reason may name its column. */
export class UnreadableTable extends Error {
  constructor(readonly reasons: ReadonlyArray<TableReason & { readonly column?: string | null }>) {
    super(reasons.map(({ code }) => code).join(', '))
  }

  /** The reasons as one text in the reader's language. */
  word(locale: Language): string {
    return this.reasons.map(({ column, ...reason }) => `${column == null ? '' : `${column}: `}${wordReason(locale, reason)}`).join('; ')
  }
}

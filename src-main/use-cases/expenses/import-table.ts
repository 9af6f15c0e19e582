import { fromMinor, toSafeNumber } from '#shared/domain/money'
import { type ImportSummary, maxReportedLines } from '#shared/contract/imports'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Actor } from '#main/store/core/actor'
import type { ColumnMap } from '#main/tables/column-map'
import type { ImportPlan } from '#main/tables/plan-import'
import {
  type ImportOptions,
  type ImportOutcome,
  type ImportProblem,
  type Transacting,
  batchSizeOf,
  importExpenses,
} from './import-expenses'
import { type ImportedChange, type OptionalAttribute, optionalAttributes } from './list-imported-changes'

/** A row that was not imported; `row` is its line in the file, `column` null for the whole line, `reason` a text. */
export interface ReportedProblem {
  readonly row: number
  readonly column: string | null
  readonly reason: { readonly key: string; readonly params?: Readonly<Record<string, string | number>> | undefined }
}

/** A row whose expense has other content; `row` is its line in the file. */
export interface ReportedChange {
  readonly row: number
  readonly external_id: string
  readonly expense_id: number
  readonly changes: readonly ImportedChange[]
}

/** A problem or change of a line, reported in file order. */
export type ReportedLine =
  { readonly kind: 'problem'; readonly problem: ReportedProblem } | { readonly kind: 'change'; readonly change: ReportedChange }

/** A file to import, with options. */
export interface TableImport extends Omit<ImportOptions, 'stated'> {
  readonly plan: ImportPlan
  /** Gets reports about lines, the first {@link maxReportedLines} of each kind. */
  readonly onLine: (line: ReportedLine) => void
  /** Called from time to time with the number of finished rows. */
  readonly onProgress?: (done: number) => unknown
}

/**
 * Imports a file of expenses, for the command line and the screen. Reads the file in pieces, so that its size does not matter. Throws {@link
 * UnreadableTable} if it cannot be read as a whole, and the errors of `importExpenses`.
 */
export async function importTable(store: Transacting, actor: Actor, request: TableImport): Promise<ImportSummary> {
  const { plan, onLine, onProgress, ...options } = request
  const report = new Report(plan.map, onLine)
  let done = 0
  for await (const outcome of importExpenses(store, actor, { rows: plan.rows(), ...options, stated: statedBy(plan.map) })) {
    report.add(outcome)
    done += 1
    if (done % batchSizeOf(store) === 0) onProgress?.(done)
  }
  return report.finish()
}

/** A problem with its reason as a translated sentence. */
export function wordProblem(locale: Language, { row, column, reason }: ReportedProblem) {
  return { row, column, reason: translate(locale, reason.key, reason.params) }
}

function statedBy({ columns }: ColumnMap): ReadonlySet<OptionalAttribute> {
  return new Set(optionalAttributes.filter((attribute) => columns[attribute] !== undefined))
}

class Report {
  readonly #counts = { rows: 0, imported: 0, updated: 0, skipped: 0, refused: 0, problems: 0, changed: 0 }
  readonly #totals = new Map<string, bigint>()
  #lastRefused = 0

  constructor(
    readonly map: ColumnMap,
    readonly onLine: (line: ReportedLine) => void,
  ) {}

  add(outcome: ImportOutcome): void {
    const counts = this.#counts
    if (outcome.kind === 'unread') {
      const { line, column, reason } = outcome.problem
      return this.#refuse([{ row: line, column, reason: { key: `import:reasons.${reason.code}`, params: reason.params } }])
    }
    if (outcome.kind === 'refused') return this.#refuse(outcome.problems.map((problem) => this.#toProblem(problem)))
    counts.rows += 1
    if (outcome.kind === 'skipped') counts.skipped += 1
    else if (outcome.kind === 'imported') {
      counts.imported += 1
      this.#totals.set(outcome.currency, (this.#totals.get(outcome.currency) ?? 0n) + BigInt(outcome.amount_minor))
    } else {
      const { kind: _, line, isUpdated, ...change } = outcome
      counts[isUpdated ? 'updated' : 'skipped'] += 1
      counts.changed += 1
      if (counts.changed <= maxReportedLines) this.onLine({ kind: 'change', change: { row: line, ...change } })
    }
  }

  /** An unreadable row appears once for each of its columns with a problem. */
  #refuse(problems: readonly ReportedProblem[]): void {
    for (const problem of problems) {
      if (problem.row !== this.#lastRefused) {
        this.#counts.rows += 1
        this.#counts.refused += 1
      }
      this.#lastRefused = problem.row
      this.#counts.problems += 1
      if (this.#counts.problems <= maxReportedLines) this.onLine({ kind: 'problem', problem })
    }
  }

  finish(): ImportSummary {
    const total = Object.fromEntries([...this.#totals].map(([currency, sum]) => [currency, fromMinor(toSafeNumber(sum), currency)]))
    return { ...this.#counts, total }
  }

  #toProblem({ line, attribute, refusal }: ImportProblem): ReportedProblem {
    const reason =
      refusal.kind === 'invalid'
        ? { key: `errors:fields.${refusal.error.code}`, params: refusal.error.params }
        : { key: `errors:${refusal.code}`, params: refusal.params }
    return { row: line, column: this.#columnOf(attribute), reason }
  }

  /** The column from which an attribute was read. */
  #columnOf(attribute: string | null): string | null {
    const [, source] = Object.entries(this.map.columns).find(([name]) => name === attribute) ?? []
    if (typeof source === 'string') return source
    return typeof source === 'object' && 'column' in source ? source.column : null
  }
}

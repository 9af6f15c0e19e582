import { fromMinor, toSafeNumber } from '#shared/domain/money'
import { type Locale, translate } from '#shared/i18n/translations'
import type { Actor, Store } from '#main/store/store'
import type { ColumnMap, MapFile } from '#main/tables/column-map'
import type { ImportRow } from '#main/tables/import-rows'
import { planImport } from '#main/tables/plan-import'
import { wordReason } from '#main/tables/table-reason'
import type { TableSource } from '#main/tables/table-source'
import { type ImportOptions, type ImportOutcome, type ImportProblem, importExpenses } from './import-expenses'
import type { ImportedChange, OptionalAttribute } from './imported-changes'

/** A row that was not imported; `row` is its line in the file, `column` null where the whole line is meant. */
export interface ReportedProblem {
  readonly row: number
  readonly column: string | null
  readonly reason: string
}

/** A row whose expense has other content; `row` is its line in the file. */
export interface ReportedChange {
  readonly row: number
  readonly external_id: string
  readonly expense_id: number
  readonly changes: readonly ImportedChange[]
}

/** What became of a file. Each row is imported, updated, skipped or a problem; `changed` lists the rows that differ from their expenses. */
export interface ImportReport {
  readonly rows: number
  readonly imported: number
  readonly updated: number
  readonly skipped: number
  readonly problems: readonly ReportedProblem[]
  readonly changed: readonly ReportedChange[]
  /** What was imported, in major units by currency. */
  readonly total: Readonly<Record<string, number>>
}

/** A file to import, and how. */
export interface TableImport extends Omit<ImportOptions, 'stated'> {
  readonly source: TableSource
  readonly mapFile?: MapFile
  /** The language of the reasons. */
  readonly locale: Locale
  /** Hears from time to time how many rows are done. */
  readonly onProgress?: (done: number) => void
}

const rowsBetweenReports = 2_000

/**
 * Imports a file of expenses. It is read piece by piece, so that its size does not matter. Throws {@link UnreadableTable} where it
 * cannot be read as a whole, and as `importExpenses`.
 */
export async function importTable(store: Store, actor: Actor, request: TableImport): Promise<ImportReport> {
  const { source, mapFile, locale, onProgress, ...options } = request
  const plan = planImport(source, mapFile)
  const report = new Report(plan.map, locale)
  const rows = function* (): Generator<ImportRow> {
    for (const entry of plan.rows()) {
      report.rows += 1
      if (entry.kind === 'row') yield entry
      else report.problems.push({ row: entry.line, column: entry.column, reason: wordReason(locale, entry.reason) })
    }
  }
  let done = 0
  for await (const outcome of importExpenses(store, actor, { rows: rows(), ...options, stated: statedBy(plan.map) })) {
    report.add(outcome)
    done += 1
    if (done % rowsBetweenReports === 0) onProgress?.(done)
  }
  return report.finish()
}

function statedBy({ columns }: ColumnMap): ReadonlySet<OptionalAttribute> {
  const all = ['description', 'location', 'tags'] as const
  return new Set(all.filter((attribute) => columns[attribute] !== undefined))
}

class Report {
  rows = 0
  readonly problems: ReportedProblem[] = []
  readonly #counts = { imported: 0, updated: 0, skipped: 0 }
  readonly #changed: ReportedChange[] = []
  readonly #totals = new Map<string, bigint>()

  constructor(
    readonly map: ColumnMap,
    readonly locale: Locale,
  ) {}

  add(outcome: ImportOutcome): void {
    switch (outcome.kind) {
      case 'refused':
        this.problems.push(...outcome.problems.map((problem) => this.#toProblem(problem)))
        return
      case 'changed': {
        const { kind: _, line, isUpdated, ...change } = outcome
        this.#counts[isUpdated ? 'updated' : 'skipped'] += 1
        this.#changed.push({ row: line, ...change })
        return
      }
      case 'imported':
        this.#counts.imported += 1
        this.#totals.set(outcome.currency, (this.#totals.get(outcome.currency) ?? 0n) + BigInt(outcome.amount_minor))
        return
      case 'skipped':
        this.#counts.skipped += 1
    }
  }

  finish(): ImportReport {
    const problems = this.problems.sort((a, b) => a.row - b.row)
    const total = Object.fromEntries([...this.#totals].map(([currency, sum]) => [currency, fromMinor(toSafeNumber(sum), currency)]))
    return { rows: this.rows, ...this.#counts, problems, changed: this.#changed, total }
  }

  #toProblem({ line, attribute, refusal }: ImportProblem): ReportedProblem {
    const [key, params] =
      refusal.kind === 'invalid'
        ? ([`errors:fields.${refusal.error.code}`, refusal.error.params] as const)
        : ([`errors:${refusal.code}`, refusal.params] as const)
    return { row: line, column: this.#columnOf(attribute), reason: translate(this.locale, key, params) }
  }

  /** The column that an attribute was read from. */
  #columnOf(attribute: string | null): string | null {
    const [, source] = Object.entries(this.map.columns).find(([name]) => name === attribute) ?? []
    if (typeof source === 'string') return source
    return typeof source === 'object' && 'column' in source ? source.column : null
  }
}

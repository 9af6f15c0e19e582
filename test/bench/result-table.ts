import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserFigure } from './browser'
import type { ColdStart } from './cold-start'
import type { describeMachine } from './machine'
import type { HostileFigures } from './statements/hostile'
import type { Paced } from './paced'
import { importRow } from './imports'
import { type Comparison, batchRow } from './requests'
import type { RowSumFigure } from './row-sums'
import type { SearchFigures } from './searches'
import type { SumFigures } from './sums'
import type { WebhookFigures } from './webhooks'

/** The rows that are not comparisons of requests, by the name under which one of them is asked for. */
export const partNames = {
  start: 'cold start',
  sums: 'sums',
  searches: 'searches',
  hostile: 'hostile files',
  row_sums: 'checksums of rows',
  webhooks: 'webhooks',
  browser: 'browser',
} as const

interface Conditions {
  readonly machine: ReturnType<typeof describeMachine>
  readonly load_tool: string
  readonly expenses: number
}

interface Results extends Conditions {
  cold_start?: ColdStart
  comparisons: Comparison[]
  sums?: SumFigures
  searches?: readonly SearchFigures[]
  hostile?: readonly HostileFigures[]
  row_sums?: readonly RowSumFigure[]
  webhooks?: WebhookFigures
  browser?: readonly BrowserFigure[]
}

/** A figure of a run and its aim. */
interface Aimed {
  readonly name: string
  /** A share of the floor's rate, which should be as high, or milliseconds, which should be as few. */
  readonly unit: 'share' | 'ms'
  readonly value: number
  readonly aim: number
  readonly isMet: boolean
}

/** Aims of writes, as shares of the floor's rate; a read should reach 0.8. */
const writes: ReadonlyMap<string, number> = new Map([
  ['record an expense', 0.7],
  ['move an expense', 0.7],
  [batchRow, 0.7],
  [importRow, 0.7],
])
const reads = 0.8
/** Milliseconds from the start of the process to a response. */
const starts = { health_ms: 150, list_ms: 250 } as const

/** The aims of what a run has measured. */
function aimsOf({ comparisons, cold_start }: Pick<Results, 'comparisons' | 'cold_start'>): Aimed[] {
  const shares = comparisons.map(({ name, ratio: value }) => ({ name, unit: 'share' as const, value, aim: writes.get(name) ?? reads }))
  const times = (['health_ms', 'list_ms'] as const).flatMap((name) =>
    cold_start ? [{ name: `cold start: ${name.replace('_ms', '')}`, unit: 'ms' as const, value: cold_start[name], aim: starts[name] }] : [],
  )
  return [...shares, ...times].map((one) => ({ ...one, isMet: one.unit === 'ms' ? one.value <= one.aim : one.value >= one.aim }))
}

/** The main table: prints each row and writes `results.json` as soon as a row is there, so that what comes later costs no figure. */
export class ResultTable {
  readonly #results: Results
  readonly #say: (text: string) => void

  constructor(conditions: Conditions, say: (text: string) => void) {
    const { machine, load_tool, expenses } = conditions
    this.#results = { ...conditions, comparisons: [] }
    this.#say = say
    say(
      `\n${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB, Node ${machine.node}, SQLite ${machine.sqlite}, fsync ${machine.fsync_ms.toFixed(2)} ms`,
    )
    say(`${expenses} expenses; load from ${load_tool} in a process of its own\n`)
  }

  addStart(cold_start: ColdStart): void {
    for (const [name, value] of Object.entries(cold_start)) this.#row(`cold start: ${name.replace('_ms', '')}`, `${value.toFixed(0)} ms`)
    this.#write({ cold_start })
  }

  addComparison(comparison: Comparison): void {
    const { comparisons } = this.#results
    if (comparisons.length === 0) this.#row('', 'Outlay', 'floor', 'ratio', 'p50', 'p99', 'memory')
    const { name, unit, program, floor, ratio, p50_ms, p99_ms, memory_mb } = comparison
    const memory = memory_mb === undefined ? '' : `${memory_mb.toFixed(0)} MB`
    const ms = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(2)} ms`)
    this.#row(`${name} (${unit})`, program.toFixed(0), floor.toFixed(0), ratio.toFixed(2), ms(p50_ms), ms(p99_ms), memory)
    this.#write({ comparisons: [...comparisons, comparison] })
  }

  addSums(sums: SumFigures): void {
    this.#row('sums over all, after a change', `${sums.sum_ms.toFixed(0)} ms`)
    this.#addReader(sums)
    this.#write({ sums })
  }

  addSearches(searches: readonly SearchFigures[]): void {
    for (const figure of searches) {
      this.#row(figure.name, `${figure.search_ms.toFixed(0)} ms`, figure.refused > 0 ? `${figure.refused} refused` : '')
      this.#addReader(figure)
    }
    this.#write({ searches })
  }

  addHostile(hostile: readonly HostileFigures[]): void {
    this.#row('', 'a file', 'status', 'held p99', 'held max')
    for (const figure of hostile) {
      const { name, file_ms, status, p99_ms, max_ms } = figure
      this.#row(name, `${file_ms.toFixed(0)} ms`, String(status), `${p99_ms.toFixed(1)} ms`, `${max_ms.toFixed(1)} ms`)
    }
    this.#write({ hostile })
  }

  addRowSums(row_sums: readonly RowSumFigure[]): void {
    this.#row('a write with checksums and without', 'clock', 'without', 'processor', 'without', 'costs')
    const ms = (value: number) => `${value.toFixed(3)} ms`
    for (const { name, with_ms, without_ms, with_cpu_ms, without_cpu_ms } of row_sums) {
      const share = `${(100 * (with_cpu_ms / without_cpu_ms - 1)).toFixed(1)} %`
      this.#row(name.slice(0, 33), ms(with_ms), ms(without_ms), ms(with_cpu_ms), ms(without_cpu_ms), share)
    }
    this.#write({ row_sums })
  }

  addWebhooks(webhooks: WebhookFigures): void {
    this.#row(`${webhooks.deliveries} deliveries to a webhook`, `${webhooks.deliveries_per_second.toFixed(0)}/s`)
    this.#addReader(webhooks)
    this.#write({ webhooks })
  }

  addBrowser(browser: readonly BrowserFigure[]): void {
    this.#row('in Chromium', 'review screen', 'bare page', 'slowest')
    const ms = (value: number | null) => (value === null ? '' : `${value.toFixed(0)} ms`)
    for (const { name, outlay_ms, floor_ms, worst_ms } of browser) this.#row(name, ms(outlay_ms), ms(floor_ms), ms(worst_ms))
    this.#write({ browser })
  }

  /** Prints every aim that this run measured, and keeps the run in `history.jsonl`. */
  end(at: string): void {
    const aims = aimsOf(this.#results)
    if (aims.length === 0) return
    this.#row('\naims', 'measured', 'aim', '')
    const shown = ({ value, unit }: Aimed) => (unit === 'ms' ? `${value.toFixed(0)} ms` : value.toFixed(2))
    for (const aim of aims) this.#row(aim.name, shown(aim), shown({ ...aim, value: aim.aim }), aim.isMet ? 'met' : 'missed')
    appendFileSync(join(import.meta.dirname, 'history.jsonl'), `${JSON.stringify({ at, aims, ...this.#results })}\n`)
  }

  #addReader({ idle, during }: { idle: Paced; during: Paced }): void {
    for (const [name, { p50_ms, p99_ms }] of [
      ['the API, nothing else to do', idle],
      ['the API meanwhile', during],
    ] as const)
      this.#row(name, '', '', '', `${p50_ms.toFixed(2)} ms`, `${p99_ms.toFixed(2)} ms`)
  }

  #row(...cells: string[]): void {
    this.#say(cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(14))).join(''))
  }

  #write(figures: Partial<Results>): void {
    Object.assign(this.#results, figures)
    writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(this.#results, null, 2)}\n`)
  }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserFigure } from './browser'
import type { ColdStart } from './cold-start'
import type { describeMachine } from './machine'
import type { HostileFigures } from './statements/hostile'
import type { Paced } from './paced'
import type { Comparison } from './requests'
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

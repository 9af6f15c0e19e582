import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserFigure, measureBrowser } from './browser'
import { measureCaptures, printCaptures } from './captures'
import { type ColdStart, measureColdStart } from './cold-start'
import { measureDesktop, printDesktop } from './desktop'
import { serveFloor } from './floor'
import { measureImport } from './imports'
import { loadTool, sendLoad } from './load'
import { describeMachine } from './machine'
import type { Paced } from './paced'
import { type Comparison, measureRequests } from './requests'
import { type Seeded, seed } from './seed'
import { measureSync, type SyncFigures } from './sync'
import { runFloorClient, serveSyncFloor } from './sync-floor'
import { measurePeer } from './sync-peer'
import { printSync } from './sync-print'
import { type SumFigures, measureSums } from './sums'
import { type WebhookFigures, measureWebhooks } from './webhooks'

interface Results {
  readonly machine: ReturnType<typeof describeMachine>
  readonly load_tool: string
  readonly expenses: number
  readonly cold_start: ColdStart
  readonly comparisons: readonly Comparison[]
  readonly sums: SumFigures
  readonly webhooks: WebhookFigures
  readonly browser: readonly BrowserFigure[]
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Seeds a folder, or takes one that an earlier run kept (`--keep <folder>`), and copies it for the floor. */
async function prepare(folder: string, expenses: number): Promise<{ program: Seeded; floor: Seeded }> {
  const kept = join(folder, `seed-${expenses}`)
  const facts = join(kept, 'seed.json')
  if (!existsSync(facts)) {
    const start = performance.now()
    const seeded = await seed(kept, expenses)
    writeFileSync(facts, JSON.stringify(seeded))
    say(`${expenses} expenses seeded in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  const seeded: Seeded = JSON.parse(readFileSync(facts, 'utf8'))
  const copyTo = (name: string): Seeded => {
    const to = join(folder, name)
    rmSync(to, { recursive: true, force: true })
    cpSync(kept, to, { recursive: true })
    return { ...seeded, folder: to }
  }
  return { program: copyTo('program'), floor: copyTo('floor') }
}

function print({ machine, load_tool, expenses, cold_start, comparisons, sums, webhooks, browser }: Results): void {
  say(
    `\n${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB, Node ${machine.node}, SQLite ${machine.sqlite}, fsync ${machine.fsync_ms.toFixed(2)} ms`,
  )
  say(`${expenses} expenses; load from ${load_tool} in a process of its own\n`)
  const row = (...cells: string[]) =>
    say(cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(14))).join(''))
  row('', 'Outlay', 'floor', 'ratio', 'p50', 'p99')
  for (const { name, unit, program, floor, ratio, p50_ms, p99_ms } of comparisons) {
    const ms = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(2)} ms`)
    row(`${name} (${unit})`, program.toFixed(0), floor.toFixed(0), ratio.toFixed(2), ms(p50_ms), ms(p99_ms))
  }
  say('')
  for (const [name, value] of Object.entries(cold_start)) row(`cold start: ${name.replace('_ms', '')}`, `${value.toFixed(0)} ms`)
  say('')
  const beside = ({ idle, during }: { idle: Paced; during: Paced }) => {
    for (const [name, { p50_ms, p99_ms }] of [
      ['the API, nothing else to do', idle],
      ['the API meanwhile', during],
    ] as const)
      row(name, '', '', '', `${p50_ms.toFixed(2)} ms`, `${p99_ms.toFixed(2)} ms`)
  }
  row('sums over all, after a change', `${sums.sum_ms.toFixed(0)} ms`)
  beside(sums)
  say('')
  row(`${webhooks.deliveries} deliveries to a webhook`, `${webhooks.deliveries_per_second.toFixed(0)}/s`)
  beside(webhooks)
  say('')
  row('in Chromium', 'review screen', 'bare page', 'slowest')
  for (const { name, outlay_ms, floor_ms, worst_ms } of browser)
    row(name, `${outlay_ms.toFixed(0)} ms`, floor_ms === null ? '' : `${floor_ms.toFixed(0)} ms`, `${worst_ms.toFixed(0)} ms`)
}

async function bench(args: readonly string[]): Promise<void> {
  const isQuick = args.includes('--quick')
  const kept = args[args.indexOf('--keep') + 1]
  const folder = args.includes('--keep') && kept ? kept : mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  mkdirSync(folder, { recursive: true })
  try {
    const expenses = isQuick ? 10_000 : 100_000
    const seeded = await prepare(folder, expenses)
    const cold_start = await measureColdStart(seeded.program, isQuick ? 3 : 7)
    const comparisons = [
      ...(await measureRequests({ ...seeded, seconds: isQuick ? 1 : 4, rounds: isQuick ? 1 : 3 })),
      await measureImport({ ...seeded, count: isQuick ? 2000 : 20_000 }),
    ]
    const sums = await measureSums(seeded.program, isQuick ? 2 : 5)
    const webhooks = await measureWebhooks(seeded.program, { deliveries: isQuick ? 2_000 : 5_000, seconds: isQuick ? 3 : 8 })
    const browser = await measureBrowser(seeded.program, isQuick ? 3 : 7)
    const results: Results = {
      machine: describeMachine(folder),
      load_tool: loadTool,
      expenses,
      cold_start,
      comparisons,
      sums,
      webhooks,
      browser,
    }
    print(results)
    writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    if (!args.includes('--keep')) rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures replicas alone: the part `sync`. */
async function benchSync(args: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  const isQuick = args.includes('--quick')
  try {
    const figures: SyncFigures[] = []
    const sizes = isQuick ? [5_000] : [20_000, 100_000]
    for (const [index, records] of sizes.entries())
      figures.push(await measureSync(folder, { records, rounds: isQuick || index > 0 ? 1 : 3, isLoaded: index === 0 }))
    const peer = args.includes('--peers') ? await measurePeer(isQuick ? 5_000 : 20_000) : undefined
    const results = { machine: describeMachine(folder), figures, peer }
    printSync(results, say)
    writeFileSync(join(import.meta.dirname, 'results-sync.json'), `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures many files captured at once: the part `captures`. */
async function benchCaptures(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  try {
    printCaptures(await measureCaptures(folder, 200), say)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures the desktop alone, beside the same window with nothing in it: the part `desktop`. */
async function benchDesktop(args: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  try {
    const isQuick = args.includes('--quick')
    const figures = await measureDesktop(folder, { expenses: isQuick ? 10_000 : 100_000, rounds: isQuick ? 3 : 9, files: 200 })
    const results = { machine: describeMachine(folder), ...figures }
    printDesktop(figures, say)
    writeFileSync(join(import.meta.dirname, 'results-desktop.json'), `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [, , flag, role, rest = ''] = process.argv
if (flag === '--role' && role === 'floor') await serveFloor(rest)
else if (flag === '--role' && role === 'load') await sendLoad(rest)
else if (flag === '--role' && role === 'sync-floor') await serveSyncFloor(rest)
else if (flag === '--role' && role === 'sync-floor-client') await runFloorClient(rest)
else {
  const [part, ...args] = process.argv.slice(2)
  if (part === 'sync') await benchSync(args)
  else if (part === 'captures') await benchCaptures()
  else if (part === 'desktop') await benchDesktop(args)
  else await bench(process.argv.slice(2))
}

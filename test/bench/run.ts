import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBrowser } from './browser'
import { measureCaptures, printCaptures } from './captures'
import { cases } from './cases'
import { measureCodes } from './codes/codes'
import { measureDatabases } from './databases/databases'
import { measureExports } from './exports'
import { benchReadings } from './readings/readings'
import { measureReports } from './reports/reports'
import { measureSeals } from './seals'
import { measureColdStart } from './cold-start'
import { measureDesktop, printDesktop } from './desktop'
import { serveFloor } from './floor'
import { importRow, measureImport } from './imports'
import { loadTool, sendLoad } from './load'
import { describeMachine } from './machine'
import { batchRow, measureRequests } from './requests'
import { ResultTable, partNames } from './result-table'
import { type Seeded, seed } from './seed'
import { measurePolicies, printPolicies } from './policies'
import { measureRepeatCost, measureRepeats, printRepeatCost, printRepeats, repeatFolder, repeatPlans } from './repeats'
import { measureSync, type SyncFigures } from './sync'
import { runFloorClient, serveSyncFloor } from './sync-floor'
import { measurePeer } from './sync-peer'
import { printSync } from './sync-print'
import { measureRowSums } from './row-sums'
import { measureHostile } from './statements/hostile'
import { measureSearches } from './searches'
import { measureStatements, printStatements, readPlanRows } from './statements/statements'
import { measureSums } from './sums'
import { measureTiming, serveTiming } from './timing'
import { measureWebhooks } from './webhooks'

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

/** Measures the wanted rows of the main table; each is printed and written as soon as it is measured. */
async function bench(args: readonly string[]): Promise<void> {
  const options = { quick: { type: 'boolean', default: false }, keep: { type: 'string' }, expenses: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const { quick: isQuick, keep, expenses: asked } = values
  const isWanted = toChoice(positionals)
  const folder = keep ?? temporaryFolder()
  mkdirSync(folder, { recursive: true })
  const expenses = asked === undefined ? (isQuick ? 10_000 : 100_000) : Number(asked)
  const fewest = isQuick ? 1_000 : 10_000
  if (!Number.isInteger(expenses) || expenses < fewest) endWith(`--expenses ${asked}: a whole number from ${fewest}.`)
  const seeded = await prepare(folder, expenses)
  const table = new ResultTable({ machine: describeMachine(folder), load_tool: loadTool, expenses }, say)
  if (isWanted(partNames.start)) table.addStart(await measureColdStart(seeded.program, isQuick ? 3 : 7))
  const requests = { ...seeded, seconds: isQuick ? 1 : 4, rounds: isQuick ? 1 : 3 }
  for await (const comparison of measureRequests(requests, isWanted)) table.addComparison(comparison)
  if (isWanted(importRow)) table.addComparison(await measureImport({ ...seeded, count: isQuick ? 2000 : 20_000 }))
  if (isWanted(partNames.sums)) table.addSums(await measureSums(seeded.program, isQuick ? 2 : 5))
  if (isWanted(partNames.searches)) table.addSearches(await measureSearches(seeded.program, isQuick ? 2 : 5))
  if (isWanted(partNames.hostile)) table.addHostile(await measureHostile(seeded.program, isQuick ? 3 : 10))
  if (isWanted(partNames.row_sums))
    table.addRowSums(await measureRowSums(seeded.program, isQuick ? { rounds: 5, count: 200 } : { rounds: 9, count: 500 }))
  if (isWanted(partNames.webhooks)) {
    const load = { deliveries: isQuick ? 2_000 : 5_000, seconds: isQuick ? 3 : 8 }
    table.addWebhooks(await measureWebhooks(seeded.program, load))
  }
  if (isWanted(partNames.browser)) table.addBrowser(await measureBrowser(seeded.program, isQuick ? 3 : 7))
  table.end(new Date().toISOString())
}

/** A folder for one run: gone when the run ends, finished or stopped. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function endWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

/** Which rows the words mean: those whose names have one of them; all where there are none. Ends where a word means no row. */
function toChoice(words: readonly string[]): (name: string) => boolean {
  const names = [...Object.values(partNames), ...cases.map(({ name }) => name), batchRow, importRow]
  for (const word of words)
    if (!names.some((name) => name.includes(word)))
      endWith(
        `No row is called "${word}". The rows are: ${names.join(', ')}; and the parts sync, captures, codes, readings, timing, repeats, statements, policies, reports, exports, seal, postgres and desktop.`,
      )
  return (name) => words.length === 0 || words.some((word) => name.includes(word))
}

/** Measures replicas alone: the part `sync`. */
async function benchSync(args: readonly string[]): Promise<void> {
  const folder = temporaryFolder()
  const isQuick = args.includes('--quick')
  const figures: SyncFigures[] = []
  const sizes = isQuick ? [5_000] : [20_000, 100_000]
  for (const [index, records] of sizes.entries())
    figures.push(await measureSync(folder, { records, rounds: isQuick || index > 0 ? 1 : 3, isLoaded: index === 0 }))
  const peer = args.includes('--peers') ? await measurePeer(isQuick ? 5_000 : 20_000) : undefined
  const results = { machine: describeMachine(folder), figures, peer }
  printSync(results, say)
  writeFileSync(join(import.meta.dirname, 'results-sync.json'), `${JSON.stringify(results, null, 2)}\n`)
}

/** Measures many files captured at once: the part `captures`. */
async function benchCaptures(): Promise<void> {
  const folder = temporaryFolder()
  printCaptures(await measureCaptures(folder, 200), say)
}

/** Measures the desktop alone, beside the same window with nothing in it: the part `desktop`. */
async function benchDesktop(args: readonly string[]): Promise<void> {
  const folder = temporaryFolder()
  const isQuick = args.includes('--quick')
  const figures = await measureDesktop(folder, { expenses: isQuick ? 10_000 : 100_000, rounds: isQuick ? 3 : 9, files: 200 })
  const results = { machine: describeMachine(folder), ...figures }
  printDesktop(figures, say)
  writeFileSync(join(import.meta.dirname, 'results-desktop.json'), `${JSON.stringify(results, null, 2)}\n`)
}

/** Plants repeats and counts which are found, in generated rows or those of a file: the part `repeats`. */
async function benchRepeats(args: readonly string[]): Promise<void> {
  const folder = temporaryFolder()
  const [file] = args.filter((arg) => !arg.startsWith('--'))
  if (!args.includes('--cost'))
    for (const plan of repeatPlans) printRepeats(await measureRepeats(repeatFolder(folder, `planted-${plan}`), { plan, file }), say)
  const scale = args.includes('--quick') ? { expenses: 10_000, samples: 500 } : { expenses: 100_000, samples: 3_000 }
  if (file === undefined) printRepeatCost(await measureRepeatCost(repeatFolder(folder, 'cost'), scale), say)
}

/** Lays 5,000 lines of statements over generated rows or those of a file, and counts what is matched: the part `statements`. */
function benchStatements(args: readonly string[]): void {
  const [file] = args.filter((arg) => !arg.startsWith('--'))
  const rows = readPlanRows(file)
  for (const seed of [11, 12, 13]) printStatements(measureStatements(rows, { seed }), say)
}

/** What policies cost a write and a list: the part `policies`. */
async function benchPolicies(args: readonly string[]): Promise<void> {
  const folder = temporaryFolder()
  const scale = args.includes('--quick') ? { expenses: 10_000, samples: 100 } : { expenses: 100_000, samples: 300 }
  for await (const cost of measurePolicies(folder, scale)) printPolicies(cost, say)
}

/** SQLite and PostgreSQL in turns: the part `postgres`; further words choose rows and databases. */
async function benchPostgres(args: readonly string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('--'))
  const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))
  const scale = args.includes('--quick') ? { expenses: 6_000, rounds: 1, seconds: 2 } : { expenses: 20_000, rounds: 3, seconds: 4 }
  await measureDatabases(temporaryFolder(), { ...scale, isWanted, say })
}

/** Compares the times of responses to wrong secrets alone: the part `timing`. */
async function benchTiming(args: readonly string[]): Promise<void> {
  const folder = temporaryFolder()
  for await (const figure of measureTiming(folder, args.includes('--quick') ? 1_000 : 20_000)) {
    const { name, median_us, difference_us, plus_minus_us, t } = figure
    say(`${name}: ${median_us.toFixed(1)} us, ${difference_us.toFixed(2)} ± ${plus_minus_us.toFixed(2)} us longer, t = ${t.toFixed(2)}`)
  }
}

// The servers that the bench started end with it, and so does its folder.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const [, , flag, role, rest = ''] = process.argv
if (flag === '--role' && role === 'floor') await serveFloor(rest)
else if (flag === '--role' && role === 'load') await sendLoad(rest)
else if (flag === '--role' && role === 'timing-server') await serveTiming(rest)
else if (flag === '--role' && role === 'sync-floor') await serveSyncFloor(rest)
else if (flag === '--role' && role === 'sync-floor-client') await runFloorClient(rest)
else {
  const [part, ...args] = process.argv.slice(2)
  if (part === 'sync') await benchSync(args)
  else if (part === 'timing') await benchTiming(args)
  else if (part === 'captures') await benchCaptures()
  else if (part === 'readings') await benchReadings(say)
  else if (part === 'codes') await measureCodes(temporaryFolder(), args.includes('--quick') ? 30 : 300, say)
  else if (part === 'desktop') await benchDesktop(args)
  else if (part === 'repeats') await benchRepeats(args)
  else if (part === 'statements') benchStatements(args)
  else if (part === 'exports')
    await measureExports(say, args.includes('--quick') ? { expenses: 5_000, photos: 100 } : { expenses: 100_000, photos: 1_000 })
  else if (part === 'seal')
    await measureSeals(
      say,
      args.includes('--quick') ? { rounds: 3, seconds: 4, expenses: 10_000 } : { rounds: 5, seconds: 10, expenses: 100_000 },
    )
  else if (part === 'reports')
    await measureReports(say, args.includes('--quick') ? { sizes: [10_000], rounds: 5 } : { sizes: [10_000, 100_000], rounds: 9 })
  else if (part === 'postgres') await benchPostgres(args)
  else if (part === 'policies') await benchPolicies(args)
  else await bench(process.argv.slice(2))
}

import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createVerifier } from '#main/snapshots/verifier'
import { problemsOfFile } from '#main/store/core/integrity'
import { makeDemo, makeTemporaryFolder, runProgram } from '#test/support/built-program'
import { inForm } from '#test/support/form'
import { log } from '#test/support/spoiled'

/** `npm run torture -- bits` flips more, and runs every command that copies records after each flip that changes one. */
const isTorture = process.env.TORTURE === 'bits'
const flips = isTorture ? 2_500 : inForm(60, 150)
/** How many flips that change a record the commands are run after, and the first flip that is tried for it. */
const runs = isTorture ? Number(process.env.TORTURE_COUNT ?? 300) : inForm(1, 2)
const from = Number(process.env.TORTURE_FROM ?? 0)
const scratch: string = await makeTemporaryFolder()
const whole = join(scratch, 'whole')
await makeDemo(whole)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const tables = [
  'expenses',
  'comments',
  'activities',
  'attachments',
  'reimbursements',
  'advancements',
  'users',
  'user_emails',
  'tags',
  'expense_tags',
  'memberships',
  'organizations',
  'accountabilities',
  'blobs',
  'corporative_cards',
  'participants',
  'change_log',
  'handovers',
  'handover_rows',
]

/** What people would read: every row of what they entered, without what can be derived from it. */
function contentOf(path: string): string {
  let raw: Database.Database | undefined
  try {
    raw = new Database(path, { readonly: true })
    const read = (table: string) => raw?.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} NOT INDEXED`).all() ?? []
    const entered = (row: Record<string, unknown>) => Object.entries(row).filter(([name]) => !/_(count|scaled)$/.test(name))
    return JSON.stringify(tables.map((table) => read(table).map(entered)))
  } catch {
    return 'unreadable'
  } finally {
    raw?.close()
  }
}

/** The golden ratio spreads any number of flips evenly over the file; the bits of a byte take turns. */
function flipped(content: Buffer, number: number): Buffer {
  const spoiled = Buffer.from(content)
  const at = 100 + Math.floor(((number * 0.618_033_988_749_895 + 0.37) % 1) * (content.length - 100))
  spoiled[at] = (spoiled[at] ?? 0) ^ (1 << (number % 8))
  return spoiled
}

test('every flip of a bit that changes a record is found', { timeout: 3_600_000 }, () => {
  const content = readFileSync(join(whole, 'outlay.db'))
  const file = join(scratch, 'flipped.db')
  const before = contentOf(join(whole, 'outlay.db'))
  let changed = 0
  const missed: number[] = []
  for (let number = 0; number < flips; number += 1) {
    writeFileSync(file, flipped(content, number))
    if (contentOf(file) === before) continue
    changed += 1
    if (problemsOfFile(file).length === 0) missed.push(number)
  }
  if (isTorture) console.log(`${flips} flips, ${changed} changed a record, ${missed.length} missed`)
  expect(problemsOfFile(join(whole, 'outlay.db'))).toEqual([])
  expect(changed).toBeGreaterThan(flips / 12)
  expect(missed).toEqual([])
})

/** Every way in which the command line copies records out of a folder. */
const ways = ['csv', 'json', 'xlsx', 'backup'] as const

/** Copies the records out of a folder with this database; answers what was written and how it ended. */
async function copyOut(way: (typeof ways)[number], database: Buffer): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [folder, archive] = [join(scratch, `copied as ${way}`), join(scratch, 'copy.tar')]
  cpSync(whole, folder, { recursive: true })
  writeFileSync(join(folder, 'outlay.db'), database)
  rmSync(archive, { force: true })
  const command = way === 'backup' ? ['backup', archive] : ['export', 'expenses', '--format', way]
  const run = await runProgram(...command, '--data', folder)
  rmSync(folder, { recursive: true })
  return run
}

/** Lines in words: no stack. */
const isSentence = (stderr: string) => /^([A-Z][^\n]*\.\n)+$/.test(stderr)

test('an export or a backup of a damaged database is right or says that it is not', { timeout: 3_600_000 }, async () => {
  const [content, file] = [readFileSync(join(whole, 'outlay.db')), join(scratch, 'flipped.db')]
  const before = contentOf(join(whole, 'outlay.db'))
  const copyInAllWays = (database: Buffer) => Promise.all(ways.map((way) => copyOut(way, database)))
  const right = await copyInAllWays(content)
  expect(right.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  const counts = { right: 0, refused: 0 }
  const wrong: string[] = []
  let number = from
  for (let ran = 0; ran < runs; number += 1) {
    const spoiled = flipped(content, number)
    writeFileSync(file, spoiled)
    if (contentOf(file) === before) continue
    ran += 1
    for (const [index, { code, stdout, stderr }] of (await copyInAllWays(spoiled)).entries()) {
      // A backup copies every table, so that one of a changed record is never right.
      const isRight = code === 0 && ways[index] !== 'backup' && stdout === right[index]?.stdout
      const isRefused = code === 1 && isSentence(stderr)
      if (isRight) counts.right += 1
      else if (isRefused) counts.refused += 1
      else wrong.push(`flip ${number}: ${ways[index]} ended with ${code}: ${stderr}`)
    }
  }
  if (isTorture) console.log(`flips ${from} to ${number}: ${runs} changed a record, ${JSON.stringify(counts)}, ${wrong.length} wrong`)
  expect(wrong).toEqual([])
})

test('doctor, export, backup and a running server find a changed amount', async () => {
  const folder = join(scratch, 'changed')
  cpSync(whole, folder, { recursive: true })
  const raw = new Database(join(folder, 'outlay.db'))
  raw.exec(
    'UPDATE expenses SET amount_minor = amount_minor + 64, amount_scaled = amount_scaled + 64 * (amount_scaled / amount_minor) WHERE id = 3',
  )
  raw.close()
  const said = 'A row of expenses with ids 0 to 15 is not as Outlay wrote it'
  expect(await runProgram('doctor', '--data', folder)).toMatchObject({ code: 1, stdout: expect.stringContaining(said) })
  expect(await runProgram('export', 'expenses', '--data', folder)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  const backup = await runProgram('backup', join(scratch, 'changed.tar'), '--data', folder)
  expect(backup).toMatchObject({ code: 1, result: { ok: false, problems: [expect.stringContaining(said)] } })
  const verifier = createVerifier({ data_folder: folder, clock: systemClock, log, pauseMs: 0 })
  expect(await verifier.verify()).toEqual([expect.stringContaining(said)])
  await verifier.close()
  copyFileSync(join(whole, 'outlay.db'), join(folder, 'outlay.db'))
  const sound = createVerifier({ data_folder: folder, clock: systemClock, log, pauseMs: 0 })
  expect(await sound.verify()).toEqual([])
  await sound.close()
})

/** Changes a letter of a description in the index of descriptions. */
function spoilIndex(path: string): void {
  const raw = new Database(path, { readonly: true })
  const longest = raw.prepare<[], string>('SELECT description FROM expenses ORDER BY length(description) DESC LIMIT 1').pluck().get() ?? ''
  const pages = raw
    .prepare<[], { start: number; end: number }>(
      "SELECT pgoffset AS start, pgoffset + pgsize AS end FROM dbstat WHERE name = 'expenses_payer_description'",
    )
    .all()
  raw.close()
  const content = readFileSync(path)
  const at = pages.map(({ start, end }) => ({ found: content.subarray(start, end).indexOf(longest), start })).find(({ found }) => found > 0)
  content.write('~', (at?.start ?? 0) + (at?.found ?? 0))
  writeFileSync(path, content)
}

test('an export of expenses reads no index of theirs: where one is damaged, it is right and says nothing', async () => {
  const folder = join(scratch, 'spoiled index')
  cpSync(whole, folder, { recursive: true })
  const exportAll = async () => {
    const runs = await Promise.all(
      ['{}', '{"status_eq":"approved"}'].map((q) => runProgram('export', 'expenses', '--q', q, '--data', folder)),
    )
    return runs.map(({ code, stdout }) => ({ code, stdout }))
  }
  const right = await exportAll()
  spoilIndex(join(folder, 'outlay.db'))
  const doctor = await runProgram('doctor', '--data', folder)
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('missing from index expenses_payer_description') })
  expect(await exportAll()).toEqual(right)
  expect(right.map(({ code }) => code)).toEqual([0, 0])
})

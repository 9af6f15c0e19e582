import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createVerifier } from '#main/snapshots/verifier'
import { problemsOfFile } from '#main/store/core/integrity'
import { makeTemporaryFolder, runProgram } from '#test/support/built-program'
import { log } from '#test/support/spoiled'

/** `npm run torture -- bits` flips more, and runs the export after each. */
const isLong = process.env.TORTURE === 'bits'
const flips = isLong ? Number(process.env.TORTURE_COUNT ?? 300) : 150
const exports = isLong ? flips : 4

let scratch: string
let whole: string
beforeAll(async () => {
  scratch = await makeTemporaryFolder()
  whole = join(scratch, 'whole')
  await runProgram('demo', '--data', whole)
})
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

function flipped(content: Buffer, number: number): Buffer {
  const spoiled = Buffer.from(content)
  // Spread evenly over the file, and over the bits of a byte.
  const at = 100 + Math.floor(((number + 0.37) / flips) * (content.length - 100))
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
  if (isLong) console.log(`${flips} flips, ${changed} changed a record, ${missed.length} missed`)
  expect(problemsOfFile(join(whole, 'outlay.db'))).toEqual([])
  expect(changed).toBeGreaterThan(flips / 10)
  expect(missed).toEqual([])
})

test('no export that ends well is wrong, and a backup of a damaged database says so', { timeout: 3_600_000 }, async () => {
  const content = readFileSync(join(whole, 'outlay.db'))
  const [folder, before] = [join(scratch, 'exported'), contentOf(join(whole, 'outlay.db'))]
  const { stdout: right, code } = await runProgram('export', 'expenses', '--data', whole)
  expect(code).toBe(0)
  const wrong: number[] = []
  let ran = 0
  for (let number = 0; number < flips && ran < exports; number += 1) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'outlay.db'), flipped(content, number))
    if (!isLong && contentOf(join(folder, 'outlay.db')) === before) continue
    ran += 1
    const exported = await runProgram('export', 'expenses', '--data', folder)
    if (exported.code === 0 && exported.stdout !== right) wrong.push(number)
  }
  if (isLong) console.log(`${ran} exports, ${wrong.length} wrong with exit 0`)
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
  expect(await runProgram('export', 'expenses', '--data', folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(said),
  })
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

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { type App, createApp, createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { createSnapshotKeeper } from '#main/snapshots/keeper'
import { StartFault } from '#main/snapshots/start-fault'
import { recordExpense } from './expenses'
import { xmlFile } from './sample-files'
import { uploadFile } from './upload'
import { type Instance, startInstance } from './instance'

/** A folder as a kill left it: two snapshots, work after the newer one, all of that in the write-ahead log. */
let template: string
/** The identities that the newest snapshot of the folder made last holds. */
export const inSnapshot: string[] = []
let instance: Instance
export const log = createLog({ OUTLAY_LOG: 'silent' })

/** Makes the folder that every test spoils a copy of. */
export async function makeTemplate(): Promise<void> {
  instance = await startInstance()
  const { app, folder, member } = instance
  const snapshots = join(folder, 'snapshots')
  const keeper = createSnapshotKeeper({ store: app.store, clock: systemClock, log, data_folder: folder, folder: snapshots, everyMs: 0 })
  for (let count = 0; count < 20; count += 1) await recordExpense(instance, member, { description: `Before ${count}` })
  await uploadFile(member, xmlFile({ id: 'before' }))
  await keeper.make()
  await recordExpense(instance, member, { description: 'Between the snapshots' })
  await keeper.make()
  await keeper.close()
  inSnapshot.splice(0, Infinity, ...(await uids(app)))
  const raw = new Database(join(folder, 'outlay.db'))
  raw.pragma('wal_checkpoint(PASSIVE)')
  raw.close()
  // Of amounts that no other has: one that looks like a repeat has those before it judged again.
  for (let count = 0; count < 20; count += 1) await recordExpense(instance, member, { description: `After ${count}`, amount: 1000 + count })
  await uploadFile(member, xmlFile({ id: 'after' }))
  template = `${folder}-killed`
  await cp(folder, template, { recursive: true })
}

/** Where it lies: copied, never changed. */
export function templateFolder(): string {
  return template
}

/** Removes it. */
export async function removeTemplate(): Promise<void> {
  await instance.remove()
  await rm(template, { recursive: true, force: true })
}

/** The identities of all expenses. */
export async function uids({ store }: App): Promise<string[]> {
  return (await store.reader.db.selectFrom('expenses').select('uid').orderBy('id').execute()).map(({ uid }) => uid)
}

/** What becomes of a copy of the template that was spoiled so; the copy is removed afterwards. */
export async function startAfter<T>(spoil: (folder: string) => Promise<void>, look: (opened: Opened) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), `outlay-spoiled-${systemClock.uid()}`)
  await cp(template, folder, { recursive: true })
  try {
    await spoil(folder)
    const before = await hashes(folder)
    const opened = await start(folder)
    try {
      return await look({ folder, before, opened })
    } finally {
      if (!(opened instanceof StartFault)) await opened.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A spoiled folder, what lay there before the start, and what came of that. */
export interface Opened {
  readonly folder: string
  readonly before: Record<string, string>
  readonly opened: App | StartFault
}

/** Starts on a folder. */
export async function start(folder: string, startsOver = false): Promise<App | StartFault> {
  const settings = { ...readSettings(folder, {}), OUTLAY_SNAPSHOT_MINUTES: 0 }
  try {
    return await createApp({ data_folder: folder, settings, web_folder: null, log, startsOver })
  } catch (error) {
    if (error instanceof StartFault) return error
    throw error
  }
}

/** What the database and its log hold; an empty log, and the index of the log is made again when they are opened. */
export async function hashes(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of ['outlay.db', 'outlay.db-wal'])
    if (existsSync(join(folder, name)) && (await stat(join(folder, name))).size > 0)
      found[name] = createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex')
  return found
}

/** The folder of what was set aside. */
export async function asideOf(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => name.startsWith('damaged-'))
}

/** Flips bytes at places given as shares of the file. */
export async function flip(path: string, places: ReadonlyArray<{ at: number; with: number }>): Promise<void> {
  const content = await readFile(path)
  for (const { at, with: bits } of places) {
    const place = Math.min(content.length - 1, Math.floor(at * content.length))
    content[place] = (content[place] ?? 0) ^ bits
  }
  await writeFile(path, content)
}

/** Whatever was done: opened with all of a good snapshot, or refused with a clear fault; what was damaged lies aside as it was. */
export async function expectNothingLost({ folder, before, opened }: Opened): Promise<void> {
  const aside = await asideOf(folder)
  if (opened instanceof StartFault) {
    expect(opened.textIn('pt')).not.toBe(opened.textIn('en'))
    expect(await hashes(folder)).toEqual(before)
    return
  }
  expect(await uids(opened)).toEqual(expect.arrayContaining(inSnapshot))
  if (aside !== undefined) expect(await hashes(join(folder, aside))).toEqual(before)
}

/** Opened from the newest snapshot, and the damaged database aside. */
export async function expectRecovered(outcome: Opened): Promise<string> {
  await expectNothingLost(outcome)
  const { folder, opened } = outcome
  expect(opened).not.toBeInstanceOf(StartFault)
  const aside = await asideOf(folder)
  expect(aside).toBeDefined()
  expect((await readdir(folder)).filter((name) => name.startsWith('restoring'))).toEqual([])
  return join(folder, aside ?? '')
}

/** A file of the database in a folder. */
export const of = (folder: string, name = '') => join(folder, `outlay.db${name}`)

/** Brings all of a database into its file, spoiled by the statements. */
export function rewrite(folder: string, ...statements: string[]): void {
  const raw = new Database(of(folder))
  raw.unsafeMode(true)
  raw.pragma('writable_schema = ON')
  for (const statement of statements) raw.exec(statement)
  raw.close()
}

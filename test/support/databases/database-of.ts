import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { readSettings } from '#main/config/settings'
import { migratePostgres, newestSchema } from '#main/store/postgres/migrate'
import { findPrograms } from '../../../scripts/postgres.mjs'

/** The cluster in which instances get their databases, where `npm test -- --database postgres` has started one. */
const cluster = process.env.OUTLAY_TEST_POSTGRES

const databases = new Map<string, string>()
let template: Promise<string> | undefined

/** The address of the database of a folder's instance; undefined where instances are on SQLite. */
export async function databaseOf(folder: string): Promise<string | undefined> {
  if (cluster === undefined || cluster === '') return undefined
  const known = databases.get(folder)
  if (known !== undefined) return known
  template ??= makeTemplate(cluster)
  return createDatabase(cluster, folder, await template)
}

async function createDatabase(url: string, folder: string, from: string): Promise<string> {
  const name = nameOf(folder)
  await onCluster(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`))
  const address = addressOf(url, name)
  databases.set(folder, address)
  return address
}

function nameOf(folder: string): string {
  return `t_${hashOf(folder)}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Gives a folder a copy of another one's database, as `pg_dump` reads it while it is written to; whether that one is on PostgreSQL. */
export async function copyDatabase(from: string, folder: string): Promise<boolean> {
  const { OUTLAY_DATABASE_URL: source } = readSettings(from, {})
  if (source === undefined || cluster === undefined) return false
  const target = await createDatabase(cluster, folder, 'template0')
  const dump = spawn(join(findPrograms(), 'pg_dump'), ['--format=custom', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const restore = spawn(join(findPrograms(), 'pg_restore'), ['--exit-on-error', `--dbname=${target}`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = [dump, restore].map((one) => once(one, 'close'))
  await pipeline(dump.stdout, restore.stdin)
  for (const [code] of await Promise.all(ended)) if (code !== 0) throw new Error('The database was not copied.')
  await giveDatabase(folder)
  return true
}

/** Puts a folder's database, which nobody uses, back to a copy of it; whether it is on PostgreSQL. */
export async function putDatabaseBack(folder: string, copy: string): Promise<boolean> {
  if (cluster === undefined || !databases.has(folder)) return false
  await dropDatabaseOf(folder)
  await createDatabase(cluster, folder, nameOf(copy))
  return true
}

/** Names a folder's database in its settings, where instances of tests are on PostgreSQL: all that opens the folder then uses it. */
export async function giveDatabase(folder: string): Promise<void> {
  const OUTLAY_DATABASE_URL = await databaseOf(folder)
  if (OUTLAY_DATABASE_URL !== undefined) await writeFile(join(folder, 'settings.json'), JSON.stringify({ OUTLAY_DATABASE_URL }))
}

/** Drops the database of a folder that is removed. */
export async function dropDatabaseOf(folder: string): Promise<void> {
  const url = databases.get(folder)
  if (url === undefined || cluster === undefined) return
  databases.delete(folder)
  await onCluster(cluster, (client) => client.query(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`))
}

async function onCluster(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A migrated database of which others are copies: of several workers one makes it. Some tests add to the schema. */
async function makeTemplate(url: string): Promise<string> {
  const name = `template_${hashOf((await newestSchema()).join())}`
  await onCluster(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)')
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rows.length > 0) return
    await client.query(`DROP DATABASE IF EXISTS ${name}_making`)
    await client.query(`CREATE DATABASE ${name}_making`)
    await onCluster(addressOf(url, `${name}_making`), (own) => migratePostgres(own))
    await client.query(`ALTER DATABASE ${name}_making RENAME TO ${name}`)
  })
  return name
}

function addressOf(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** Whether instances of tests are on PostgreSQL. */
export const isOnPostgres = cluster !== undefined && cluster !== ''

/** Runs work with a client of a new, migrated database that goes with it. */
export async function withDatabase(work: (client: pg.Client, url: string) => Promise<unknown>): Promise<void> {
  const folder = `database ${process.hrtime.bigint()}`
  const url = await databaseOf(folder)
  if (url === undefined) throw new Error('There is no cluster.')
  try {
    await onCluster(url, (client) => work(client, url))
  } finally {
    await dropDatabaseOf(folder)
  }
}

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startProgram } from '#test/support/built-program'
import { isOnPostgres, withDatabase } from '#test/support/databases/database-of'
import { askDatabase } from '#test/support/databases/repeated-writes'
import type { Json } from '#test/support/instance'

/** A line to a database on which another version than its own is heard, in as many digits. */
async function startDisguise(url: string, version: string) {
  const [asked] = await askDatabase(url, `SELECT current_setting('server_version_num') AS version`)
  const { hostname, port } = new URL(url)
  const line = createServer((near) => {
    const far = connect(Number(port), hostname)
    far.on('data', (bytes) => near.write(bytes.toString('latin1').replaceAll(String(asked?.version), version), 'latin1'))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    near.pipe(far)
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const disguised = new URL(url)
  disguised.port = String((line.address() as AddressInfo).port)
  return { url: disguised.href, close: () => line.close() }
}

describe.skipIf(!isOnPostgres)('a PostgreSQL of another version', () => {
  /** Founds an organization in an empty database that says that it is this version. */
  const foundOn = async (version: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'outlay-older-'))
    const named = ['--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org']
    let outcome: Json = {}
    await withDatabase(async (client, url) => {
      await client.query('DROP SCHEMA public CASCADE')
      await client.query('CREATE SCHEMA public')
      const line = await startDisguise(url, version)
      const running = startProgram(['init', ...named, '--data', folder], { OUTLAY_DATABASE_URL: line.url })
      const { code, stderr } = await running.ended
      const [found] = await askDatabase(url, `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`)
      outcome = { code, stderr, tables: found?.tables }
      line.close()
    })
    await rm(folder, { recursive: true, force: true })
    return outcome
  }

  test('is refused with what is needed where it is older than 15, and stays empty', async () => {
    expect(await foundOn('140023')).toEqual({
      code: 1,
      stderr: expect.stringContaining('PostgreSQL 14 is too old: 15 or later is needed'),
      tables: 0,
    })
  })
  test('is taken where it is 15 or later', async () => {
    expect(await foundOn('150000')).toMatchObject({ code: 0, tables: expect.toSatisfy((count: number) => count > 40) })
  })
})

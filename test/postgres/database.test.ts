import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '#db/index'
import { createApp, createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { type Reader, Store } from '#main/store/core/store'
import { migratePostgres, newestSchema, schemaVersion } from '#main/store/postgres/migrate'
import { prelude, toPostgres } from '#main/store/postgres/ddl'
import { connectionTo } from '#main/store/postgres/session'
import { databaseOf, isOnPostgres, withDatabase } from '#test/support/databases/database-of'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }

describe.skipIf(!isOnPostgres)('a database on PostgreSQL', () => {
  let instance: Instance
  let url = ''
  let client: pg.Client
  beforeAll(async () => {
    instance = await startInstance()
    url = (await databaseOf(instance.folder)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await instance.remove()
  })
  const open = (database_url = url) => Store.open(instance.folder, { clock: systemClock, isOwner: false, database_url })
  const setSchema = (version: number) => client.query('UPDATE log_head SET schema_version = $1', [version])

  test('is made once by many that start at the same time', () =>
    withDatabase(async (own) => {
      await own.query('DROP SCHEMA public CASCADE')
      await own.query('CREATE SCHEMA public')
      const { host, port, user, database } = own
      const clients = Array.from({ length: 8 }, () => new pg.Client({ host, port, user, database }))
      await Promise.all(clients.map((one) => one.connect()))
      await Promise.all(clients.map((one) => migratePostgres(one)))
      await Promise.all(clients.map((one) => one.end()))
      const { rows } = await own.query('SELECT count(*)::int AS count FROM kysely_migration')
      expect(rows).toEqual([{ count: schemaVersion }])
    }))

  test('of an earlier schema keeps its rates per distance, and the ids that were leased for others', () =>
    withDatabase(async (own) => {
      await own.query('DROP SCHEMA public CASCADE')
      await own.query('CREATE SCHEMA public')
      for (const text of [...prelude, ...(await newestSchema('0042-bookings')).flatMap(toPostgres)]) await own.query(text)
      await own.query('INSERT INTO log_head (id, schema_version) VALUES (1, 42)')
      const earlier = Object.keys(migrations).slice(0, 42)
      await own.query(`INSERT INTO kysely_migration (name, timestamp) SELECT unnest($1::text[]), 'now'`, [earlier])
      const dated = `'2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'`
      await own.query(`INSERT INTO organizations (id, uid, created_at, updated_at, name) VALUES (1, 'acme', ${dated}, 'Acme')`)
      await own.query(`INSERT INTO distance_rules (id, uid, created_at, updated_at, organization_id, amount_minor, currency, distance_kind)
        VALUES (3, 'a-rate', ${dated}, 1, 65, 'USD', 'mi')`)
      await own.query(`SELECT setval(pg_get_serial_sequence('distance_rules', 'id'), 500)`)
      await migratePostgres(own)
      const { rows } = await own.query('SELECT id::int, uid, amount_minor::int, valid_from FROM distance_rules')
      expect(rows).toEqual([{ id: 3, uid: 'a-rate', amount_minor: 65, valid_from: null }])
      const { rows: next } = await own.query(`SELECT nextval(pg_get_serial_sequence('distance_rules', 'id'))::int AS id`)
      expect(next).toEqual([{ id: 501 }])
    }))

  test('has one server while its files are in a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outlay-second-'))
    const settings = { ...readSettings(instance.folder, {}), OUTLAY_LOG: 'silent' as const }
    const second = createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
    await expect(second).rejects.toThrow('already serving the database')
    await expect(second).rejects.toThrow('OUTLAY_BUCKET_URL')
    await rm(folder, { recursive: true, force: true })
  })

  test('takes no write of a server that another has replaced', async () => {
    const record = async () => (await instance.member.api.send('POST', '/expenses', newExpense(instance))).status
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'outlay server%' AND datname = current_database()`,
    )
    await client.query('SELECT pg_advisory_lock(48700002)')
    await expect.poll(record).toBe(503)
    await client.query('SELECT pg_advisory_unlock(48700002)')
    await expect.poll(record).toBe(201)
  })

  test('is read at one moment again where the connection breaks, and once where the reader gives up, whose reason it stays', async () => {
    const store = await open()
    const reason = new Error('Nothing to read.')
    let reads = 0
    const giveUp = () => {
      reads += 1
      return Promise.reject(reason)
    }
    await expect(store.snapshot(giveUp)).rejects.toBe(reason)
    expect(reads).toBe(1)
    const broken = async (reader: Reader) => {
      reads += 1
      if (reads === 2)
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`,
        )
      return reader.db.selectFrom('organizations').select('id').execute()
    }
    expect(await store.snapshot(broken)).toEqual([{ id: instance.organization_id }])
    expect(reads).toBe(3)
    await store.close()
  })

  test('takes no write of an older program once a newer one has upgraded it', async () => {
    const store = await open()
    await setSchema(schemaVersion + 1)
    await expect(store.transact(nobody, (tx) => tx.write('DELETE FROM tags', []))).rejects.toThrow('newer Outlay')
    await setSchema(schemaVersion)
    await store.transact(nobody, (tx) => tx.write('DELETE FROM tags', []))
    await store.close()
    await client.query(`INSERT INTO kysely_migration VALUES ('9999-later', 'now')`)
    await expect(open()).rejects.toThrow('newer Outlay')
    await client.query(`DELETE FROM kysely_migration WHERE name = '9999-later'`)
  })

  test('that is not there is named, without its password', async () => {
    const settings = {
      ...readSettings(instance.folder, {}),
      OUTLAY_LOG: 'silent' as const,
      OUTLAY_DATABASE_URL: 'postgres://outlay:secret@127.0.0.1:9/none',
    }
    const folder = await mkdtemp(join(tmpdir(), 'outlay-none-'))
    const started = createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
    const error = await started.then(() => '', String)
    expect(error).toContain('127.0.0.1:9/none')
    expect(error).not.toContain('secret')
    await rm(folder, { recursive: true, force: true })
  })

  test('of another encoding, or whose user may not make tables, is refused with what it needs, and stays empty', async () => {
    const tables = async (own: pg.Client) =>
      (await own.query(`SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`)).rows[0].count
    const refusal = (address: URL) => open(address.href).then(() => '', String)
    const address = new URL(url)
    await client.query(`CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
    await client.query('CREATE DATABASE guarded TEMPLATE template0')
    await client.query('CREATE ROLE guest LOGIN')
    address.pathname = '/latin'
    expect(await refusal(address)).toContain('the encoding of the database is LATIN1: UTF8 is needed')
    address.pathname = '/guarded'
    const own = new pg.Client({ connectionString: address.href })
    await own.connect()
    address.username = 'guest'
    expect(await refusal(address)).toContain('have CREATE on the schema public')
    expect(await tables(own)).toBe(0)
    await own.query('GRANT CREATE ON SCHEMA public TO guest')
    const store = await open(address.href)
    await store.close()
    expect(await tables(own)).toBeGreaterThan(40)
    await own.end()
    for (const name of ['latin', 'guarded']) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await client.query('DROP ROLE guest')
  })

  test('that does not encrypt its connections where they have to be is refused with what to do', async () => {
    const refused = await open(`${url}?sslmode=require`).then(() => '', String)
    expect(refused).toContain('?sslmode=disable')
  })

  test('takes queries that are asked at the same time one after another on a connection, as the driver wants it', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    const store = await open()
    const ask = (reader: Reader) => Promise.all([1, 2, 3].map(() => reader.db.selectFrom('organizations').select('id').execute()))
    const found = [[{ id: instance.organization_id }], [{ id: instance.organization_id }], [{ id: instance.organization_id }]]
    expect(await store.snapshot(ask)).toEqual(found)
    expect(await store.transact(nobody, ask)).toEqual(found)
    await store.close()
    await new Promise(setImmediate)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  test('is reached over a network with a certificate that is checked, unless its address says otherwise', () => {
    const ssl = ['127.0.0.1', 'db.example.org', 'db.example.org/outlay?sslmode=disable'].map(
      (host) => connectionTo(`postgres://outlay@${host}`).ssl,
    )
    expect(ssl).toEqual([undefined, true, undefined])
  })

  test('whose connections break in the middle of a write keeps nothing of it, and takes the next', async () => {
    const cut = () =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'outlay%' AND datname = current_database()`,
      )
    for (let turn = 0; turn < 10; turn += 1) {
      const before = (await client.query('SELECT count(*)::int AS count FROM tags')).rows[0].count
      const writing = instance.app.store.transact(nobody, async (tx) => {
        const values = [`t${turn}`, systemClock.uid(), tx.now, tx.now, instance.organization_id]
        await tx.write('INSERT INTO tags (name, name_key, uid, created_at, updated_at, organization_id) VALUES (?, ?, ?, ?, ?, ?)', [
          values[0],
          ...values,
        ])
        await cut()
      })
      await expect(writing).rejects.toThrow('cannot be used just now')
      expect((await client.query('SELECT count(*)::int AS count FROM tags')).rows[0].count).toBe(before)
      await recordExpense(instance, instance.member, { description: `After cut ${turn}` })
    }
    const { body } = await instance.member.api.get('/expenses?q[search]=cut')
    const found = body.expenses.map(({ description }: Json) => description)
    expect(found.toSorted()).toEqual(Array.from({ length: 10 }, (_, turn) => `After cut ${turn}`))
  })

  test('tells its server of what a command commits', async () => {
    const store = await open()
    // The server's connection for this may be new since the test above.
    await expect
      .poll(async () => {
        const revision = instance.app.store.revision()
        await store.transact(nobody, (tx) => tx.write('DELETE FROM tags WHERE id = 0', []))
        await sleep(50)
        return instance.app.store.revision() > revision
      })
      .toBe(true)
    await store.close()
  })
})

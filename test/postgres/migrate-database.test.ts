import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { Store } from '#main/store/core/store'
import { matchesSearch } from '#main/store/records/expenses/expense-search'
import { auditKeyFile, readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { attach } from '#test/support/attach'
import { runProgram } from '#test/support/built-program'
import { databaseOf, dropDatabaseOf, isOnPostgres, withDatabase } from '#test/support/databases/database-of'
import { askDatabase } from '#test/support/databases/repeated-writes'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, apiOf, startInstance } from '#test/support/instance'

const words = [
  'Táxi',
  'taxi',
  'Café',
  'CAFE',
  'hotel',
  'Hôtel',
  'São',
  'Paulo',
  'coração',
  'Ångström',
  'straße',
  'Rio',
  '12',
  '2026',
  'A-12',
  'x.y',
  "d'água",
  'naïve',
  'Zürich',
  'zu',
  '日本',
  'отель',
]

describe.skipIf(!isOnPostgres)('outlay migrate-database', () => {
  let instance: Instance
  let url = ''
  let folder = ''
  let before: Json[]
  const asked = (api: Instance['admin']['api']) =>
    Promise.all(
      ['/expenses?per_page=100', '/activities?per_page=100', '/users/me', `/expenses?q[search]=taxi`].map(async (path) => {
        const { status, body } = await api.get(path)
        // Addresses name the port, and those of files when they end.
        return JSON.parse(JSON.stringify({ status, body }).replaceAll(/127\.0\.0\.1:\d+|(?<=\/files\/[^"]*)\?[^"]*/g, ''))
      }),
    )

  beforeAll(async () => {
    instance = await startInstance({ database: 'sqlite' })
    const { member, admin } = instance
    const texts = fc.sample(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }), { numRuns: 150, seed: 7 })
    for (const [index, text] of texts.entries())
      await recordExpense(instance, member, {
        description: text.join(' '),
        amount: 1 + index * 3.5,
        tags: index % 3 === 0 ? ['Viagem', 'Táxi'] : [],
      })
    const expense = await recordExpense(instance, member, { description: 'With a receipt', latitude: -23.550_520_1, longitude: 0.1 + 0.2 })
    await attach(member.api, expense.id, 'receipt.png')
    await moveExpense(admin, expense.id, { status: 'approved', approved_amount: 1.25 })
    await admin.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'É isso' })
    before = await asked(admin.api)
    await instance.close()
    folder = instance.folder
    await readOrMakeAuditKey(folder)
    url = (await databaseOf(folder)) ?? ''
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ OUTLAY_DATABASE_URL: url }))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await dropDatabaseOf(folder)
  })

  async function served(): Promise<Json[]> {
    const settings = { ...readSettings(folder, {}), OUTLAY_LOG: 'silent' as const, OUTLAY_SNAPSHOT_MINUTES: 0 }
    const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
    try {
      return await asked(apiOf(await app.server.listen({ host: '127.0.0.1', port: 0 }), instance.admin.token))
    } finally {
      await app.close()
    }
  }

  const keyOfFolder = () => readFile(join(folder, auditKeyFile), 'utf8')

  test('leaves nothing of a copy that fails on its last step, and can be run again', async () => {
    await askDatabase(url, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No index.'; END $$`)
    await askDatabase(url, 'CREATE TRIGGER fail BEFORE INSERT ON expense_search FOR EACH ROW EXECUTE FUNCTION fail()')
    expect(await runProgram('migrate-database', '--data', folder)).toMatchObject({ code: 1, stdout: '' })
    expect(await askDatabase(url, 'SELECT id FROM users UNION ALL SELECT id FROM expenses')).toEqual([])
    await askDatabase(url, 'DROP FUNCTION fail CASCADE')
  })

  test('says of a database without data that there is nothing to copy back', () =>
    withDatabase(async (_, empty) => {
      const place = await mkdtemp(join(tmpdir(), 'outlay-back-'))
      await writeFile(join(place, 'settings.json'), JSON.stringify({ OUTLAY_DATABASE_URL: empty }))
      const { code, stderr } = await runProgram('migrate-database', '--back', '--data', place)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('holds no data') })
      expect(existsSync(join(place, 'outlay.db'))).toBe(false)
      await rm(place, { recursive: true, force: true })
    }))

  test('is what a server asks for that finds data in its folder and an empty database', async () => {
    await expect(served()).rejects.toThrow(`${join(folder, 'outlay.db')} has data. Copy them with "outlay migrate-database"`)
  })

  test('copies every row, compares them, and leaves the file; the server then answers the same', async () => {
    const dump = () => {
      const raw = new Database(join(folder, 'outlay.db'), { readonly: true })
      try {
        return raw.prepare('SELECT * FROM change_log').all()
      } finally {
        raw.close()
      }
    }
    const log = dump()
    const { code, stdout, stderr } = await runProgram('migrate-database', '--data', folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, rows: { expenses: 151, change_log: log.length } })
    expect(dump()).toEqual(log)
    // Servers with other folders go on sealing with the same key.
    expect(await askDatabase(url, `SELECT value FROM instance_settings WHERE key = 'audit_key'`)).toEqual([{ value: await keyOfFolder() }])
    expect(await served()).toEqual(before)
  })

  test('refuses a database that holds data', async () => {
    const { code, stderr } = await runProgram('migrate-database', '--data', folder)
    expect(code).toBe(1)
    expect(stderr).toContain('holds data already')
  })

  test('finds the same by 500 searches', async () => {
    const [sqlite, postgres] = [
      await Store.open(folder, { clock: systemClock, isOwner: false }),
      await Store.open(folder, { clock: systemClock, isOwner: false, database_url: url }),
    ]
    try {
      const part = fc.constantFrom(
        ...words,
        'ta',
        'caf',
        'h',
        'sao',
        'cora',
        'viag',
        '1.00',
        '4,5',
        '15',
        'Mel',
        'member',
        'angstrom',
        'strasse',
        '#3',
        '2026-03-04',
        '04/03',
      )
      const searches = fc.sample(
        fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
        { numRuns: 500, seed: 11 },
      )
      let found = 0
      for (const search of searches) {
        const ids = async ({ reader }: Store) =>
          (await reader.db.selectFrom('expenses').select('id').where(matchesSearch(search)).orderBy('id').execute()).map(({ id }) => id)
        const expected = await ids(sqlite)
        found += expected.length
        expect({ search, ids: await ids(postgres) }).toEqual({ search, ids: expected })
      }
      expect(found).toBeGreaterThan(1000)
    } finally {
      await sqlite.close()
      await postgres.close()
    }
  })

  test('copies back into a folder, which then answers the same', async () => {
    const kept = await mkdtemp(join(tmpdir(), 'outlay-kept-'))
    await rename(join(folder, 'outlay.db'), join(kept, 'outlay.db'))
    await rm(kept, { recursive: true, force: true })
    const key = await keyOfFolder()
    await rm(join(folder, auditKeyFile))
    const { code, stdout, stderr } = await runProgram('migrate-database', '--back', '--data', folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, rows: { expenses: 151 } })
    expect(await keyOfFolder()).toBe(key)
    const raw = new Database(join(folder, 'outlay.db'), { readonly: true })
    expect(raw.prepare(`SELECT value FROM instance_settings WHERE key = 'audit_key'`).all()).toEqual([])
    raw.close()
    await writeFile(join(folder, 'settings.json'), '{}')
    expect(await served()).toEqual(before)
    expect((await runProgram('doctor', '--data', folder)).stdout).toContain('"ok":true')
  })
})

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Import } from '#shared/contract/imports'
import { planImport } from '#main/tables/plan-import'
import { fileSource } from '#main/tables/table-source'
import { type ReportedChange, importTable, wordProblem } from '#main/use-cases/expenses/import-table'
import { writeReplicaValue } from '#main/store/sync/replica-state'
import { isOnPostgres } from '#test/support/databases/database-of'
import { pathOf, settled, uploadImport } from '#test/support/imports'
import { type Instance, type Json, type Person, apiOf, startInstance } from '#test/support/instance'
import { leaveHalfDone, leaveInFiles } from '#test/support/databases/jobs'
import { restart } from '#test/support/restart'

const header = 'Employee,Date,Amount,Currency,Category,Description,Reference'
const good = [
  'Ana Lima,2024-05-01,10.00,BRL,Taxi,Ride,R-1',
  'Ana Lima,2024-05-02,20.50,BRL,Taxi,Ride,R-2',
  'Rui Melo,2024-05-03,30.00,EUR,Meals,Dinner,R-3',
]
const bad = ['Ana Lima,2024-02-30,ten,BRL,Taxi,Ride,R-4', 'Ana Lima,2024-05-05,-5,BRL,Taxi,Ride,R-5']
const table = (...rows: string[]) => [header, ...rows].join('\n')

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

async function upload(bytes: string | Buffer<ArrayBuffer>, who: Person = instance.analyst): Promise<Import> {
  const { organization_id } = instance
  const { status, body } = await uploadImport(instance, { token: who.token, organization_id, bytes })
  expect(status).toBe(201)
  return body
}

async function preview(bytes: string | Buffer<ArrayBuffer>, who: Person = instance.analyst): Promise<Import> {
  return settled(who.api, await upload(bytes, who))
}

async function run(ready: Import, who: Person = instance.analyst): Promise<Import> {
  expect((await who.api.send('POST', `${pathOf(ready)}/run`)).status).toBe(200)
  return settled(who.api, ready)
}

async function countExpenses(): Promise<number> {
  return (await instance.admin.api.get('/expenses')).body.count
}

async function problemsOf(made: Import): Promise<Json> {
  return (await instance.analyst.api.get(`${pathOf(made)}/problems`)).body
}

describe('a file to import', () => {
  test('is previewed whole and keeps nothing, then imported as it was previewed', async () => {
    const ready = await preview(table(...good, ...bad))
    const report = { rows: 5, imported: 3, updated: 0, skipped: 0, refused: 2, problems: 3, changed: 0, total: { BRL: 30.5, EUR: 30 } }
    expect(ready).toMatchObject({ state: 'ready', file_name: 'expenses.csv', message: null, report, started_at: null, finished_at: null })
    expect(ready.table).toMatchObject({
      columns: { receiver: 'Employee', occurred_at: 'Date', amount: 'Amount', tags: 'Category', external_id: 'Reference' },
      first_rows: [{ row: 2, receiver: 'Ana Lima', amount: '10.00', currency: 'BRL' }, { row: 3 }, { row: 4 }, { row: 6 }],
    })
    expect(await countExpenses()).toBe(0)
    const done = await run(ready)
    expect(done).toMatchObject({ state: 'finished', report, started_at: expect.any(String), finished_at: expect.any(String) })
    const { started_at, finished_at } = done
    const within = new URLSearchParams({ 'q[created_at_gteq]': started_at ?? '', 'q[created_at_lteq]': finished_at ?? '' })
    expect((await instance.admin.api.get(`/expenses?${within.toString()}`)).body.count).toBe(3)
    expect(await countExpenses()).toBe(3)
    expect(await problemsOf(done)).toEqual({
      problems: [
        { row: 5, column: 'Date', reason: expect.stringContaining('2024-02-30') },
        { row: 5, column: 'Amount', reason: expect.stringContaining('ten') },
        { row: 6, column: 'Amount', reason: 'must be greater than 0' },
      ],
      next: null,
    })
    const { body } = await instance.admin.api.get('/expenses')
    const trail = await instance.admin.api.get(`/expenses/${body.expenses[0].id}/activities`)
    expect(trail.body.activities[0]).toMatchObject({ user: { id: instance.analyst.user_id } })
  })

  test('is reported as the command line reports it, line for line', async () => {
    await run(await preview(table(...good)))
    const later = table('Ana Lima,2024-05-01,11.00,BRL,Taxi,Ride,R-1', good[1] ?? '', ...bad, 'Eva Reis,2024-06-01,7,BRL,Bus,Bus,R-9')
    const ready = await preview(later)
    const folder = await mkdtemp(join(tmpdir(), 'outlay-imports-'))
    const file = join(folder, 'later.csv')
    await writeFile(file, later)
    const problems: unknown[] = []
    const changed: ReportedChange[] = []
    const actor = { user_id: instance.analyst.user_id, origin: 'import', request_id: null, if_match: null }
    const report = await importTable(instance.app.store, actor, {
      plan: planImport(fileSource(file)),
      organization_id: instance.organization_id,
      currency: 'BRL',
      isDryRun: true,
      onLine: (line) => void (line.kind === 'change' ? changed.push(line.change) : problems.push(wordProblem('en', line.problem))),
    })
    await rm(folder, { recursive: true })
    expect(ready.report).toEqual(report)
    expect((await problemsOf(ready)).problems).toEqual(problems)
    expect((await instance.analyst.api.get(`${pathOf(ready)}/changes`)).body).toEqual({ changes: changed, next: null })
    expect(changed).toHaveLength(1)
  })

  test('is imported once, however often that is asked for, and a second time skips every row', async () => {
    const ready = await preview(table(...good))
    const asked = await Promise.all(Array.from({ length: 4 }, () => instance.analyst.api.send('POST', `${pathOf(ready)}/run`)))
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await settled(instance.analyst.api, ready)).toMatchObject({ state: 'finished', report: { imported: 3, skipped: 0 } })
    expect(await countExpenses()).toBe(3)
    const again = await run(await preview(table(...good)))
    expect(again.report).toMatchObject({ rows: 3, imported: 0, skipped: 3, total: {} })
    expect(await countExpenses()).toBe(3)
  })

  test('updates what changed only where that is chosen', async () => {
    await run(await preview(table(...good)))
    const later = table('Ana Lima,2024-05-01,11.00,BRL,Taxi,Ride,R-1')
    const ready = await preview(later)
    expect(ready.report).toMatchObject({ skipped: 1, updated: 0, changed: 1 })
    const told = await instance.analyst.api.send('PUT', pathOf(ready), { update: true })
    expect(told).toMatchObject({ status: 200, body: { state: 'reading', options: { update: true } } })
    expect((await settled(instance.analyst.api, ready)).report).toMatchObject({ skipped: 0, updated: 1, changed: 1 })
    expect((await run(ready)).report).toMatchObject({ updated: 1 })
    const { body } = await instance.admin.api.get('/expenses')
    expect(
      body.expenses.find(({ description, occurred_at }: Json) => description === 'Ride' && occurred_at.startsWith('2024-05-01')).amount,
    ).toBe(11)
  })

  test('that names suppliers keeps them out of the description, and changes none that has one from an earlier import', async () => {
    const rows =
      'Employee,Date,Amount,Currency,Supplier,CNPJ,Description,Reference\nAna Lima,2024-05-01,10.00,BRL,Sol,45.723.174/0001-10,Lunch,R-1'
    await run(await preview(rows))
    const { manager, analyst } = instance
    const [made] = (await analyst.api.get('/expenses')).body.expenses
    expect(made).toMatchObject({ supplier_name: 'Sol', supplier_tax_id: '45.723.174/0001-10', description: 'Lunch' })
    await manager.api.send('PATCH', `/expenses/${made.id}`, { description: 'Sol (45.723.174/0001-10) · Lunch' })
    expect((await preview(rows)).report).toMatchObject({ skipped: 1, changed: 0 })
    await manager.api.send('PATCH', `/expenses/${made.id}`, { description: 'Sol (45.723.174/0001-10) · Dinner' })
    expect((await preview(rows)).report).toMatchObject({ skipped: 1, changed: 1 })
  })

  test('lists its first thousand rejected rows page by page, in the order of the file, and counts all', async () => {
    const rows = Array.from({ length: 1250 }, (_, index) => `Ana Lima,2024-05-01,${index % 3 === 0 ? 'x' : '0'},BRL,Taxi,Ride,R-${index}`)
    const ready = await preview(table(...rows))
    expect(ready.report).toMatchObject({ rows: 1250, refused: 1250, problems: 1250 })
    const told: number[] = []
    for (let next: number | null = 0; next !== null;) {
      const { body }: Json = await instance.analyst.api.get(`${pathOf(ready)}/problems?after=${next}`)
      told.push(...body.problems.map(({ row }: { row: number }) => row))
      next = body.next
    }
    expect(told).toEqual(rows.slice(0, 1000).map((_, index) => index + 2))
    expect((await instance.analyst.api.get(`${pathOf(ready)}/problems?after=17`)).body).toEqual({ problems: [], next: null })
    const portuguese = await instance.analyst.api.get(`${pathOf(ready)}/problems`, { 'accept-language': 'pt' })
    expect(portuguese.body.problems[0].reason).toContain('não é um valor')
  })

  test('is found by all who may import in the organization, and gone once it is removed', async () => {
    const ready = await preview(table(...good))
    const { organization_id } = instance
    const listed = await instance.manager.api.get(`/organizations/${organization_id}/imports`)
    expect(listed.body.imports).toEqual([ready])
    expect((await instance.member.api.get(`/organizations/${organization_id}/imports`)).status).toBe(403)
    expect((await instance.stranger.api.get(pathOf(ready))).status).toBe(404)
    expect((await instance.manager.api.send('DELETE', pathOf(ready))).status).toBe(204)
    expect((await instance.manager.api.get(pathOf(ready))).status).toBe(404)
    expect(await readdir(join(instance.folder, 'imports'))).toEqual([])
    expect((await readdir(join(instance.folder, 'incoming')).catch(() => [])).length).toBe(0)
  })

  test('notifies someone who works in another organization that it made them a member of this one', async () => {
    const { stranger } = instance
    expect((await stranger.api.get('/join_notices')).body.join_notices).toEqual([])
    const named = 'Employee,E-mail,Date,Amount,Reference\nSam Stranger,sam.stranger@example.org,2024-05-01,10,R-1'
    const ready = await preview(named)
    expect((await stranger.api.get('/join_notices')).body.join_notices).toEqual([])
    await run(ready)
    expect((await stranger.api.get('/join_notices')).body.join_notices).toMatchObject([
      { organization: { id: instance.organization_id }, added_by: { id: instance.analyst.user_id } },
    ])
  })

  test('is rejected when too many wait, and when its announced size is too large', async () => {
    for (let count = 0; count < 5; count += 1) await upload(table(...good))
    const { organization_id, analyst } = instance
    const sixth = await uploadImport(instance, { token: analyst.token, organization_id, bytes: table(...good) })
    expect(sixth).toMatchObject({ status: 422, body: { errors: { message: expect.stringContaining('5 files') } } })
    const [first] = (await analyst.api.get(`/organizations/${organization_id}/imports`)).body.imports
    await analyst.api.send('DELETE', pathOf(first))
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${instance.url}/api/v1/organizations/${organization_id}/imports`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${analyst.token}:`).toString('base64')}`,
          'content-type': 'application/octet-stream',
          'content-length': 1_900_000_000,
          'user-agent': 'tests',
        },
      })
      sending.on('error', reject)
      sending.on('response', ({ statusCode }) => {
        resolve(statusCode)
        sending.removeAllListeners('error').on('error', () => undefined)
        sending.destroy()
      })
      // The rest of it never comes: the answer does not wait for it.
      sending.write('Employee,Date')
    })
    expect(answered).toBe(422)
  })

  // A replica is always on SQLite.
  test.skipIf(isOnPostgres)('is not taken by a replica, which says where to import it', async () => {
    const { app, analyst, organization_id } = instance
    const remote = {
      url: 'https://expenses.example.org',
      user_id: analyst.user_id,
      user_uid: 'u',
      instance_uid: 'i',
      is_compatible_only: false,
    }
    await app.store.transact({ user_id: 0, origin: 'test', request_id: null, if_match: null }, (tx) =>
      writeReplicaValue(tx, 'remote', remote),
    )
    const refused = await uploadImport(instance, { token: analyst.token, organization_id, bytes: table(...good) })
    expect(refused).toMatchObject({ status: 422, body: { errors: { message: expect.stringContaining(remote.url) } } })
  })

  test.each([
    ['is', leaveHalfDone],
    ['of an earlier version, which kept it in files, is', leaveInFiles],
  ])('%s read again after a restart, and an interrupted import waits for someone to continue', async (_which, leave) => {
    const [reading, importing] = [await preview(table(...good)), await preview(table(...good))]
    await leave(instance, { kind: 'imports', id: reading.id }, { state: 'reading' })
    await leave(instance, { kind: 'imports', id: importing.id }, { state: 'importing' })
    const { url, close } = await restart(instance)
    try {
      const api = apiOf(url, instance.analyst.token)
      expect(await settled(api, reading)).toMatchObject({ state: 'ready', report: { imported: 3 } })
      expect((await api.get(pathOf(importing))).body).toMatchObject({ state: 'interrupted' })
      expect((await api.send('POST', `${pathOf(importing)}/run`)).status).toBe(200)
      expect(await settled(api, importing)).toMatchObject({ state: 'finished', report: { imported: 3 } })
    } finally {
      await close()
    }
  })
})

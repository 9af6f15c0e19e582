import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Handover } from '#shared/contract/instance/handovers'
import { isOnPostgres } from '#test/support/databases/database-of'
import { approvedExpense } from '#test/support/settlements'
import { type ApiResponse, type Json, type Person, apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { restart } from '#test/support/restart'
import { xmlFile } from '#test/support/sample-files'
import { elementOf, fieldsFor, getCredentials, toForm } from '#test/support/upload'

// What has effects outside a transaction of its own, or a body that is no JSON, happens once under a key like any other write.
const instance = await instanceOfFile()
for (const amount of [1, 2, 3]) await approvedExpense(instance, { amount })

const actor = { user_id: 0, origin: 'test', request_id: null, if_match: null }
const exec = (text: string) => instance.app.store.transact(actor, (tx) => tx.write(text, []))

const newKey = () => ({ 'idempotency-key': randomBytes(8).toString('hex') })
const isReplayed = ({ headers }: Pick<ApiResponse, 'headers'>) => headers.get('idempotency-replayed') === 'true'
const otherRequest = { errors: { message: 'This Idempotency-Key was used for another request.' } }
const handovers = () => `/organizations/${instance.organization_id}/handovers`
const imports = () => `/organizations/${instance.organization_id}/imports`
const table = 'Employee,Date,Amount\nMel Member,2026-03-04,12.50\n'

/** The ways to ask for a file or to send one, and where what came of it is listed. */
const jobs = {
  handover: {
    ask: (headers: Record<string, string>, api = instance.manager.api) =>
      api.send('POST', handovers(), { format: 'csv', again: true }, headers),
    list: async () => (await instance.manager.api.get('/exports')).body.exports,
  },
  export: {
    ask: (headers: Record<string, string>, api = instance.analyst.api) => api.send('POST', '/exports', { format: 'csv' }, headers),
    list: async () => (await instance.analyst.api.get('/exports')).body.exports,
  },
  import: {
    ask: (headers: Record<string, string>, api = instance.manager.api) =>
      api.send('POST', `${imports()}?file_name=one.csv`, table, { 'content-type': 'application/octet-stream', ...headers }),
    list: async () => (await instance.manager.api.get(imports())).body.imports,
  },
}

/** Removes all that was asked for: there may not be many at a time. */
async function clear(person: Person, path: string, list: () => Promise<Json[]>) {
  for (const { id } of await list()) await person.api.send('DELETE', `${path}/${id}`)
}

describe.each(Object.entries(jobs))('an %s', (name, { ask, list }) => {
  const idsOf = async () => (await list()).map(({ id }: Json) => id)

  test('of four under one key, four more at once, and after a restart, is one', async () => {
    const key = newKey()
    const before = await idsOf()
    const first = await ask(key)
    expect([first.status, isReplayed(first)]).toEqual([201, false])
    for (let times = 0; times < 3; times += 1) {
      const repeat = await ask(key)
      expect([repeat.status, repeat.body, isReplayed(repeat)]).toEqual([201, first.body, true])
    }
    const other = newKey()
    const together = await Promise.all([1, 2, 3, 4].map(() => ask(other)))
    const made = together.filter((response) => response.status === 201 && !isReplayed(response))
    expect(made).toHaveLength(1)
    expect(together.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await idsOf()).toSorted()).toEqual([...before, first.body.id, made[0]?.body.id].toSorted())
  })

  test('that was cut off before its response was stored is found again, and is not made twice', async () => {
    const key = newKey()
    const before = await idsOf()
    await (isOnPostgres
      ? exec('ALTER TABLE idempotency_keys ADD CONSTRAINT cut CHECK (status = 0) NOT VALID')
      : exec(`CREATE TRIGGER cut BEFORE UPDATE ON idempotency_keys WHEN new.status <> 0 BEGIN SELECT RAISE(ABORT, 'cut'); END`))
    for (let times = 0; times < 2; times += 1) expect((await ask(key)).status).toBe(500)
    await exec(isOnPostgres ? 'ALTER TABLE idempotency_keys DROP CONSTRAINT cut' : 'DROP TRIGGER cut')
    const [made, ...more] = (await idsOf()).filter((id: string) => !before.includes(id))
    expect([typeof made, more]).toEqual(['string', []])
    const last = await ask(key)
    expect([last.status, last.body.id, isReplayed(last)]).toEqual([201, made, false])
    expect(isReplayed(await ask(key))).toBe(true)
    expect(await idsOf()).toHaveLength(before.length + 1)
    await clear(name === 'export' ? instance.analyst : instance.manager, name === 'import' ? imports() : '/exports', list)
  })
})

test('expenses that four requests under one key hand over are handed over once', async () => {
  const fresh = await startInstance()
  try {
    for (const amount of [1, 2, 3]) await approvedExpense(fresh, { amount })
    const path = `/organizations/${fresh.organization_id}/handovers`
    const key = newKey()
    const ask = (url: string, again: boolean) => apiOf(url, fresh.manager.token).send('POST', path, { format: 'json', again }, key)
    const first = await ask(fresh.url, true)
    for (let times = 0; times < 3; times += 1) expect((await ask(fresh.url, true)).body).toEqual(first.body)
    expect(await ask(fresh.url, false)).toMatchObject({ status: 422, body: otherRequest })
    const served = await restart(fresh)
    try {
      expect(await ask(served.url, true)).toMatchObject({ status: 201, body: { id: first.body.id } })
      const list = async () => (await apiOf(served.url, fresh.manager.token).get<{ handovers: Handover[] }>(path)).body.handovers
      await expect.poll(list, { timeout: 30_000 }).toMatchObject([{ id: first.body.id, done: 3 }])
    } finally {
      await served.close()
    }
  } finally {
    await fresh.remove()
  }
})

test('a file with other bytes, or another name, is another request', async () => {
  const key = newKey()
  const send = (name: string, bytes: string) =>
    instance.manager.api.send('POST', `${imports()}?file_name=${name}`, bytes, { 'content-type': 'application/octet-stream', ...key })
  expect((await send('one.csv', table)).status).toBe(201)
  for (const [name, bytes] of [
    ['one.csv', `${table} `],
    ['two.csv', table],
  ] as const)
    expect(await send(name, bytes)).toMatchObject({ status: 422, body: otherRequest })
  expect(isReplayed(await send('one.csv', table))).toBe(true)
})

test('a capture that is refused is refused again, and its key is used', async () => {
  const key = newKey()
  const send = (bytes: string) => instance.member.api.send('POST', '/captures?source=drop', bytes, key)
  const [first, second, third] = [await send('no picture'), await send('no picture'), await send('another')]
  expect([first.status, isReplayed(first)]).toEqual([422, false])
  expect([second.status, second.body, isReplayed(second)]).toEqual([422, first.body, true])
  expect(third).toMatchObject({ status: 422, body: otherRequest })
})

test('an upload form that is sent again is one upload', async () => {
  const credentials = await getCredentials(instance.member)
  const file = xmlFile()
  const send = async (headers: Record<string, string>, sent = file) => {
    const response = await fetch(credentials.host, { method: 'POST', headers, body: toForm(fieldsFor(credentials, file), sent) })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  const key = newKey()
  const [first, second] = [await send(key), await send(key)]
  expect([first.status, isReplayed(first)]).toEqual([201, false])
  expect([second.status, second.body, isReplayed(second)]).toEqual([201, first.body, true])
  for (const name of ['etag', 'location']) expect(second.headers.get(name)).toBe(first.headers.get(name))
  const other = await send(key, xmlFile({ id: 'NFe2' }))
  expect([other.status, elementOf(other.body, 'Message')]).toEqual([422, otherRequest.errors.message])
  expect((await send({ 'idempotency-key': 'k'.repeat(256) })).status).toBe(400)
  expect((await send({})).status).toBe(403)
  const rows = await instance.app.store.reader.db
    .selectFrom('uploads')
    .select('id')
    .where('user_id', '=', instance.member.user_id)
    .execute()
  expect(rows).toHaveLength(1)
})

test('a part of a file that a replica sends again is one part', async () => {
  const { bytes } = xmlFile({ id: 'NFe3' })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const put = (part: Uint8Array, offset: number, key: Record<string, string>) =>
    fetch(`${instance.url}/api/v1/sync/blobs/${sha256}?file_name=a.xml&content_type=application/xml`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`${instance.member.token}:`).toString('base64')}`,
        ...{ 'user-agent': 'tests', 'content-type': 'application/octet-stream', ...key },
        ...{ 'upload-offset': String(offset), 'upload-length': String(bytes.byteLength) },
      },
      body: new Uint8Array(part),
    })
  for (const [from, to, status] of [
    [0, 50, 200],
    [50, bytes.byteLength, 201],
  ] as const) {
    const key = newKey()
    const [first, second] = [await put(bytes.subarray(from, to), from, key), await put(bytes.subarray(from, to), from, key)]
    expect([first.status, isReplayed(first)]).toEqual([status, false])
    expect([second.status, second.headers.get('upload-offset'), isReplayed(second)]).toEqual([status, String(to), true])
    expect((await put(bytes.subarray(from, to - 1), from, key)).status).toBe(422)
  }
})

test('keys of two people, of a route that waits and of one that does not, are apart', async () => {
  const key = newKey()
  const first = await jobs.export.ask(key)
  const theirs = await jobs.export.ask(key, instance.admin.api)
  expect([theirs.status, isReplayed(theirs)]).toEqual([201, false])
  expect(theirs.body.id).not.toBe(first.body.id)
  const expense = await instance.analyst.api.send('PATCH', '/user/preferences', { timezone: 'Etc/UTC' }, key)
  expect(expense).toMatchObject({ status: 422, body: otherRequest })
})

test.skipIf(!isOnPostgres)('what another server runs is 409, and runs again once that has ended', async () => {
  const key = newKey()
  const first = await jobs.export.ask(key)
  const begun = (until_ms: number) =>
    exec(
      `UPDATE idempotency_keys SET status = 0, body = '${JSON.stringify({ by: 'another server', until_ms, uid: first.body.id })}' WHERE key = '${key['idempotency-key']}'`,
    )
  await begun(Date.now() + 60_000)
  expect((await jobs.export.ask(key)).status).toBe(409)
  await begun(Date.now() - 1)
  const last = await jobs.export.ask(key)
  expect([last.status, last.body.id]).toEqual([201, first.body.id])
})

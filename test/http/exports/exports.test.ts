import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginAsCopy } from '#main/store/core/restored-copy'
import type { Export } from '#shared/contract/instance/exports'
import { recordExpense } from '#test/support/expenses'
import { exportAs, settledExport } from '#test/support/exports'
import { inForm } from '#test/support/form'
import { type Instance, apiOf, startInstance } from '#test/support/instance'
import { ageJob, leaveHalfDone, leaveInFiles } from '#test/support/databases/jobs'
import { restart } from '#test/support/restart'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

/** The names of the files that are kept of an export. */
const filesOf = async ({ id }: Export) => {
  const entries = await readdir(join(instance.folder, 'exports', id), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const parsed = (bytes: Buffer): Array<Record<string, unknown>> => JSON.parse(bytes.toString('utf8'))
const amounts = (bytes: Buffer) => parsed(bytes).map(({ amount }) => amount)

describe('an export', () => {
  test('is written in the background, and downloaded whole with its hash from a signed address', async () => {
    await recordExpense(instance, instance.member, { amount: 12.34, description: 'Taxi', tags: 'Travel' })
    const { made, bytes } = await exportAs(instance.analyst, { format: 'csv' })
    expect(made).toMatchObject({ state: 'finished', format: 'csv', done: 1, total: 1, bytes: bytes.length, message: null })
    expect(made.file_name).toMatch(/^expenses-\d{4}-\d\d-\d\d\.csv$/)
    expect(made.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(bytes.toString('utf8').split('\r\n')[1]).toContain('12.34,BRL,Taxi')
    const response = await fetch(made.url ?? '')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="expenses-/)
    expect((await fetch((made.url ?? '').replace('signature=', 'signature=0'))).status).toBe(403)
  })

  test('of CSV with decimal commas has semicolons between its cells, and quotes what has one', async () => {
    await recordExpense(instance, instance.member, { amount: 1234.5, description: 'Taxi, late; paid', location: 'Rio, RJ' })
    const { bytes } = await exportAs(instance.analyst, { format: 'csv', decimal: 'comma' })
    const [header, line] = bytes.toString('utf8').split('\r\n')
    expect(header).toMatch(/^\uFEFF[a-z_]+(;[a-z_]+)+$/)
    expect(line).toContain(';1234,5;BRL;"Taxi, late; paid";')
    expect(line).toContain(';Rio, RJ;')
    const { status, body } = await instance.member.api.send('POST', '/exports', { format: 'csv', decimal: 'dot' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['decimal']])
  })

  test('has only what its asker may see', async () => {
    const own = await recordExpense(instance, instance.member, { amount: 1 })
    await recordExpense(instance, instance.analyst, { amount: 2 })
    expect(amounts((await exportAs(instance.member, { format: 'json' })).bytes)).toEqual([1])
    expect(amounts((await exportAs(instance.analyst, { format: 'json' })).bytes)).toEqual([1, 2])
    expect(amounts((await exportAs(instance.stranger, { format: 'json', ids: [own.id] })).bytes)).toEqual([])
  })

  test('takes the filters of the list, some expenses, or all but some', async () => {
    const made = []
    for (const amount of [1, 2, 3, 4]) made.push(await recordExpense(instance, instance.member, { amount }))
    const [first, second] = made.map(({ id }) => Number(id))
    const exported = async (asked: object) => amounts((await exportAs(instance.member, { format: 'json', ...asked })).bytes)
    expect(await exported({ q: { amount_gt: 2 } })).toEqual([3, 4])
    expect(await exported({ ids: [second, first] })).toEqual([1, 2])
    expect(await exported({ q: { amount_lt: 4 }, except_ids: [first] })).toEqual([2, 3])
    const { status, body } = await instance.member.api.send('POST', '/exports', { format: 'json', q: { colour_eq: 1 } })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['q']])
  })

  test('that matches nothing says so in its file', async () => {
    const { made, bytes } = await exportAs(instance.member, { format: 'csv' })
    expect(made).toMatchObject({ done: 0, total: 0 })
    expect(bytes.toString('utf8').split('\r\n')[1]).toMatch(/^No expense matches what was asked for\.,/)
  })

  test('is private to who asked, and goes from the disk when it is removed', async () => {
    const { made } = await exportAs(instance.member, { format: 'csv' })
    expect((await instance.admin.api.get(`/exports/${made.id}`)).status).toBe(404)
    expect((await instance.admin.api.get<{ exports: Export[] }>('/exports')).body.exports).toEqual([])
    expect((await instance.admin.api.send('DELETE', `/exports/${made.id}`)).status).toBe(404)
    expect((await instance.member.api.send('DELETE', `/exports/${made.id}`)).status).toBe(204)
    expect(await readdir(join(instance.folder, 'exports'))).toEqual([])
    expect((await fetch(made.url ?? '')).status).toBe(404)
  })

  test('is removed when it is a day old, also where nobody asks', async () => {
    const { made } = await exportAs(instance.member, { format: 'csv' })
    const folder = join(instance.folder, 'exports', made.id)
    expect(existsSync(folder)).toBe(true)
    await ageJob(instance, made)
    await (await restart(instance)).close()
    expect(existsSync(folder)).toBe(false)
  })
})

test('two exports at once queue, and both are whole', async () => {
  for (let amount = 1; amount <= 3; amount++) await recordExpense(instance, instance.member, { amount })
  const asked = await Promise.all([1, 2, 3].map(() => instance.member.api.send<Export>('POST', '/exports', { format: 'csv' })))
  const made = await Promise.all(asked.map(({ body }) => settledExport(instance.member.api, body)))
  expect(made.map(({ state, done }) => [state, done])).toEqual([1, 2, 3].map(() => ['finished', 3]))
  expect(new Set(made.map(({ sha256 }) => sha256)).size).toBe(1)
  const listed = (await instance.member.api.get<{ exports: Export[] }>('/exports')).body.exports.map(({ id }) => id)
  expect(listed.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
})

test('is never said to have failed while it is on its way, whenever it is looked at', async () => {
  const { api } = instance.member
  await recordExpense(instance, instance.member, { amount: 7 })
  const looked = { isOver: false }
  const seen = new Set<string>()
  const looking = Array.from({ length: 4 }, async () => {
    while (!looked.isOver) for (const { state } of (await api.get<{ exports: Export[] }>('/exports')).body.exports) seen.add(state)
  })
  for (let made = 0; made < inForm(6, 20); made++) await exportAs(instance.member, { format: 'csv' })
  looked.isOver = true
  await Promise.all(looking)
  expect(seen).toContain('finished')
  expect(seen).not.toContain('failed')
})

test('one that was cut off by the end of the process is written again at the next start, and no half file stays', async () => {
  await recordExpense(instance, instance.member, { amount: 7 })
  const { made } = await exportAs(instance.member, { format: 'json' })
  await leaveHalfDone(instance, { kind: 'exports', id: made.id }, { state: 'waiting', bytes: null, sha256: null })
  const half = join(instance.folder, 'desk', 'exports', 'killed')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'file.part'), '[{"half":')
  const { url, close } = await restart(instance)
  expect(await settledExport(apiOf(url, instance.member.token), made)).toMatchObject({ state: 'finished', sha256: made.sha256 })
  await close()
  expect(existsSync(half)).toBe(false)
  expect(await filesOf(made)).toEqual(['file'])
})

test('those of an earlier version, which kept them in files, are downloaded as they were or written now', async () => {
  await recordExpense(instance, instance.member, { amount: 7 })
  const [finished, waiting] = [await exportAs(instance.member, { format: 'json' }), await exportAs(instance.member, { format: 'json' })]
  await leaveInFiles(instance, { kind: 'exports', id: finished.made.id })
  await leaveInFiles(instance, { kind: 'exports', id: waiting.made.id }, { state: 'waiting', bytes: null, sha256: null })
  await writeFile(join(instance.folder, 'exports', waiting.made.id, 'file.part'), '[{"half":')
  const { url, close } = await restart(instance)
  const api = apiOf(url, instance.member.token)
  const { body } = await api.get<Export>(`/exports/${finished.made.id}`)
  expect(Buffer.from(await (await fetch(body.url ?? '')).arrayBuffer())).toEqual(finished.bytes)
  expect(await settledExport(api, waiting.made)).toMatchObject({ state: 'finished', sha256: waiting.made.sha256 })
  await close()
  expect(await filesOf(finished.made)).toEqual(['file'])
})

test('a copy of the database, restored, begins nothing that waited when it was made', async () => {
  const [kept, waiting] = [await exportAs(instance.member, { format: 'csv' }), await exportAs(instance.member, { format: 'csv' })]
  await leaveHalfDone(instance, { kind: 'exports', id: waiting.made.id }, { state: 'waiting' })
  await instance.app.store.transact({ user_id: 0, origin: 'test', request_id: null, if_match: null }, beginAsCopy)
  const { url, close } = await restart(instance)
  const listed = (await apiOf(url, instance.member.token).get<{ exports: Export[] }>('/exports')).body.exports.map(({ id }) => id)
  expect(listed).toEqual([kept.made.id])
  await close()
})

test('one whose file is of another moment than the database is gone', async () => {
  const [kept, lost] = [await exportAs(instance.member, { format: 'csv' }), await exportAs(instance.member, { format: 'csv' })]
  await rm(join(instance.folder, 'exports', lost.made.id), { recursive: true })
  const { url, close } = await restart(instance)
  const listed = (await apiOf(url, instance.member.token).get<{ exports: Export[] }>('/exports')).body.exports.map(({ id }) => id)
  expect(listed).toEqual([kept.made.id])
  await close()
})

test('one that is stopped, waiting or running, leaves nothing', async () => {
  for (let amount = 1; amount <= 30; amount++) await recordExpense(instance, instance.member, { amount })
  const asked = await Promise.all(['pdf', 'xlsx', 'csv'].map((format) => instance.member.api.send<Export>('POST', '/exports', { format })))
  const removed = await Promise.all(asked.map(({ body: { id } }) => instance.member.api.send('DELETE', `/exports/${id}`)))
  expect(removed.map(({ status }) => status)).toEqual([204, 204, 204])
  expect(await readdir(join(instance.folder, 'exports')).catch(() => [])).toEqual([])
})

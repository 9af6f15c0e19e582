import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { startInstance } from '#test/support/instance'
import { pathOf, settled, uploadImport } from '#test/support/imports'

const rows = inForm(1_200, 4_000)
const table = [
  'Employee,Date,Amount,Currency,Category,Reference',
  ...Array.from({ length: rows }, (_, index) => `Person ${index % 20},2024-05-01,${index + 1}.25,BRL,Taxi,R-${index}`),
].join('\n')

test.runIf(isBuilt)('an import whose server is killed is gone on with, and no row is there twice', { timeout: 300_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'outlay-import-kill-'))
  let server: BuiltServer | undefined
  try {
    const { token, organization_id } = await initFolder(data)
    server = await startBuilt(data)
    let { api } = clientOf(server, token)
    const { body: made } = await uploadImport(server, { token, organization_id, bytes: table })
    expect(await settled(api, made)).toMatchObject({ state: 'ready', report: { rows, imported: rows } })
    expect((await api.send('POST', `${pathOf(made)}/run`)).status).toBe(200)
    const running = api
    await vi.waitFor(async () => expect((await running.get(pathOf(made))).body.done).toBeGreaterThan(0), { timeout: 60_000, interval: 20 })
    // Others write meanwhile, and are not held up.
    const body = { payer: { id: organization_id, type: 'Organization' }, amount: 1, occurred_at: '2024-05-01' }
    expect((await api.send('POST', '/expenses', body)).status).toBe(201)
    await server.kill()
    server = await startBuilt(data)
    api = clientOf(server, token).api
    expect((await api.get(pathOf(made))).body).toMatchObject({ state: 'interrupted' })
    expect((await api.send('POST', `${pathOf(made)}/run`)).status).toBe(200)
    const { report } = await settled(api, made)
    expect((report?.imported ?? 0) + (report?.skipped ?? 0)).toBe(rows)
    expect(report?.skipped).toBeGreaterThanOrEqual(500)
    expect((await api.get('/expenses?per_page=1')).body.count).toBe(rows + 1)
    await server.stop()
    server = undefined
    expect(await runBuilt('doctor', '--data', data)).toEqual({ ok: true, problems: [] })
  } finally {
    await server?.kill()
    await rm(data, { recursive: true, force: true })
  }
})

test('an import that is removed while it runs leaves whole batches', { timeout: 300_000 }, async () => {
  const instance = await startInstance()
  const { organization_id } = instance
  const { api, token } = instance.admin
  try {
    const { body: made } = await uploadImport(instance, { token, organization_id, bytes: table })
    await settled(api, made)
    await api.send('POST', `${pathOf(made)}/run`)
    await vi.waitFor(async () => expect((await api.get(pathOf(made))).body.done).toBeGreaterThan(0), { timeout: 60_000, interval: 5 })
    expect((await api.send('DELETE', pathOf(made))).status).toBe(204)
    expect((await api.get(pathOf(made))).status).toBe(404)
    const { count } = (await api.get('/expenses?per_page=1')).body
    expect(count % 500).toBe(0)
    expect(count).toBeGreaterThan(0)
    expect((await api.get('/expenses?per_page=1')).body.count).toBe(count)
  } finally {
    await instance.remove()
  }
})

import { execFileSync } from 'node:child_process'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startSealed } from '#test/support/audit'
import { apiOf } from '#test/support/instance'
import { runProgram } from '#test/support/built-program'
import { folderOfFile } from '#test/support/of-file'
import { verifyPack } from '../../src-main/use-cases/audit/pack/verify.mjs'

const scratch = folderOfFile('outlay-audit-api-')
const instance = await startSealed(2)
const pathOf = ({ organization_id }: typeof instance) => `/organizations/${organization_id}/audit`
const path = pathOf(instance)
afterAll(() => instance.remove())

async function packOf(url: string, name: string): Promise<string> {
  const response = await fetch(url)
  expect(response.headers.get('content-disposition')).toContain('attachment')
  const zip = join(scratch, `${name}.zip`)
  await writeFile(zip, Buffer.from(await response.arrayBuffer()))
  execFileSync('unzip', ['-q', zip, '-d', join(scratch, name)])
  return join(scratch, name)
}

test('admins alone read the seals, verify them, and get the pack', async () => {
  const { admin, manager, stranger, url } = instance
  const { body } = await admin.api.get(path)
  expect(body).toMatchObject({ waiting: 0, is_replica: false, fork: null })
  expect(await admin.api.get(`${path}/verification`)).toMatchObject({ status: 200, body: { ok: true, problems: [], entries: body.sealed } })
  for (const one of [path, `${path}/verification`]) {
    expect((await manager.api.get(one)).status).toBe(403)
    expect((await stranger.api.get(one)).status).toBe(404)
    expect((await apiOf(url, null).get(one)).status).toBe(401)
  }
  expect(verifyPack(await packOf(body.pack_url, 'whole'), { heads: [body.last.head] }).problems).toEqual([])
  expect((await fetch(`${body.pack_url}0`)).status).toBe(403)
  expect((await fetch(body.pack_url.replace(`/packs/${instance.organization_id}/`, '/packs/0/'))).status).toBe(403)
})

test('the pack of a period without entries says so, and is verified all the same', async () => {
  const { body } = await instance.admin.api.get(`${path}?from=2001-01-01&to=2001-12-31`)
  const { problems, entries, seals } = verifyPack(await packOf(body.pack_url, 'empty'))
  expect({ problems, entries }).toEqual({ problems: [], entries: 0 })
  expect(seals).toBeGreaterThan(1)
  expect((await instance.admin.api.get(`${path}?from=2001-13-01`)).status).toBe(422)
  expect(await instance.admin.api.get(`${path}?from=2001-02-02&to=2001-02-01`)).toMatchObject({
    status: 422,
    body: { errors: { to: ['must be after the start'] } },
  })
  expect((await instance.admin.api.get(`${path}?from=2001-02-01&to=2001-02-01`)).status).toBe(200)
})

test('the command line verifies a folder that is served, and writes the pack only where there is no file', async () => {
  const { folder, organization_id } = instance
  const { code, result } = await runProgram('audit', 'verify', '--data', folder)
  expect({ code, ok: result.ok }).toEqual({ code: 0, ok: true })
  const file = join(scratch, 'cli.zip')
  expect(await runProgram('audit', 'export', file, '--organization', String(organization_id), '--data', folder)).toMatchObject({ code: 0 })
  expect(await runProgram('audit', 'export', file, '--organization', String(organization_id), '--data', folder)).toMatchObject({ code: 1 })
  expect(await runProgram('audit', 'verify', '--head', 'nothing', '--data', folder)).toMatchObject({ code: 2 })
  expect(await runProgram('audit', 'verify', '--head', 'ab'.repeat(32), '--data', folder)).toMatchObject({ code: 1, result: { ok: false } })
})

test('what was changed is named in the language of the request, and the command line exits with 1', async () => {
  const damaged = await startSealed(1)
  onTestFinished(() => damaged.remove())
  const { admin, app, folder } = damaged
  const part = await app.store.reader.db
    .selectFrom('audit_parts')
    .select('sha256')
    .where('sha256', 'is not', null)
    .executeTakeFirstOrThrow()
  const sha256 = part.sha256 ?? ''
  await appendFile(join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'x')
  const { body } = await admin.api.get(`${pathOf(damaged)}/verification`, { 'accept-language': 'pt' })
  expect(body.ok).toBe(false)
  expect(new Set(body.problems.map(({ code }: { code: string }) => code))).toEqual(new Set(['file_damaged']))
  expect(body.problems[0].message).toContain('foi alterado')
  expect(await runProgram('audit', 'verify', '--data', folder)).toMatchObject({ code: 1, result: { ok: false } })
  const { body: status } = await admin.api.get(pathOf(damaged))
  expect(verifyPack(await packOf(status.pack_url, 'damaged')).problems.join()).toContain('was missing or changed when the pack was made')
})

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { makeTemporaryFolder, runProgram, runWith, startProgram } from '#test/support/built-program'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { startReplica } from '#test/support/sync/replica'

let remote: Instance
let folder: string
beforeEach(async () => {
  remote = await startInstance()
  folder = await makeTemporaryFolder()
  await placeMigrated(folder)
})
afterEach(async () => {
  await remote.remove()
  await rm(folder, { recursive: true, force: true })
})

const set = (url = remote.url, token = remote.member.token) => runProgram('remote', 'set', url, '--token', token, '--data', folder)
const sync = (...more: string[]) => runProgram('sync', '--data', folder, ...more)

test('remote set makes an empty folder a replica, sync brings what its user sees, and the same token signs in before and after', async () => {
  await rm(join(folder, 'outlay.db'))
  await recordExpense(remote, remote.member)
  const { code, result } = await set()
  expect({ code, result }).toMatchObject({
    code: 0,
    result: { remote: { url: remote.url, user_id: remote.member.user_id }, activity: 'idle' },
  })
  expect((await stat(join(folder, 'remote-token'))).mode & 0o077).toBe(0)
  const before = await startReplica(remote.url, remote.member, { folder })
  expect((await before.api.get('/expenses')).body.count).toBe(0)
  await before.close()
  expect((await sync()).result).toEqual({
    ...{ pushed: 0, pulled: expect.any(Number) as number, conflicts: 0, failed: 0 },
    ...{ uploads: 0, downloads: 0, ms: expect.any(Number) as number },
  })
  expect((await runProgram('remote', 'show', '--data', folder)).result).toMatchObject({ last_synced_at: expect.any(String) as string })
  await remote.close()
  const after = await startReplica(remote.url, remote.member, { folder })
  expect((await after.api.get('/expenses')).body.count).toBe(1)
  await after.api.send('POST', '/expenses', newExpense(remote))
  await after.close()
  // With no settings: what is logged for operators is not for whoever runs a command.
  const offline = await startProgram(['sync', '--data', folder], { OUTLAY_LOG: undefined }).ended
  expect(offline).toMatchObject({ code: 1, result: { pushed: 0 } })
  expect(offline.stderr).toMatch(/^.+\n$/)
})

test('a remote that cannot be one changes nothing, and the message says why in a line', async () => {
  expect(await set(remote.url, 'wrong')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know this token') as string })
  expect(await set('http://127.0.0.1:1')).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') as string })
  expect(await set('not an address')).toMatchObject({ code: 2 })
  expect(await sync()).toMatchObject({ code: 1, stderr: expect.stringContaining('outlay remote set') as string })
  expect((await runProgram('remote', 'show', '--data', folder)).result).toMatchObject({ remote: null, activity: 'off' })
})

test('a command that would bypass the journal is rejected on a replica', async () => {
  await set()
  await sync()
  const organization = String(remote.organization_id)
  for (const call of [
    ['user', 'add', '--organization', organization, '--name', 'New', '--email', 'new@example.org'],
    ['token', 'create', '--email', 'mel.member@example.org'],
    ['organization', 'expire', organization],
  ])
    expect(await runProgram(...call, '--data', folder)).toMatchObject({
      code: 1,
      stderr: `This folder is a replica of ${remote.url}. Run this command there.\n`,
    })
})

test('a replica serves no replicas', async () => {
  const replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  expect((await replica.app.replica.connect({ url: replica.url, token: remote.member.token })).kind).toBe('failed')
  expect((await replica.api.get('/sync/checksums')).status).toBe(409)
  await replica.remove()
})

test('remote clear makes it a plain instance again, with its data', async () => {
  await recordExpense(remote, remote.member)
  await set()
  await sync()
  expect((await runProgram('remote', 'clear', '--data', folder)).result).toMatchObject({ remote: null })
  expect((await runProgram('export', 'expenses', '--format', 'json', '--data', folder)).result).toHaveLength(1)
})

test('sync --watch sends what is entered and brings what others change, until it is stopped', async () => {
  await set()
  const watching = startProgram(['sync', '--watch', '--data', folder])
  await recordExpense(remote, remote.member)
  await watching.wrote('stderr', '"pulled"')
  const replica = await startReplica(remote.url, remote.member, { folder })
  await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'from here' }))
  await expect.poll(async () => (await remote.member.api.get('/expenses')).body.count).toBe(2)
  await replica.close()
  watching.child.kill('SIGTERM')
  expect(await watching.ended).toMatchObject({ code: 0, result: { pushed: 1, conflicts: 0, failed: 0 } })
})

test('the token comes from standard input or the environment; one in the command is taken with a warning', async () => {
  const ask = ['remote', 'set', remote.url, '--data', folder]
  const warning = 'OUTLAY_REMOTE_TOKEN'
  const piped = startProgram([...ask, '--token', '-'])
  piped.child.stdin?.end(`${remote.member.token}\n`)
  const fromInput = await piped.ended
  expect(fromInput).toMatchObject({ code: 0, result: { remote: { url: remote.url } } })
  await runProgram('remote', 'clear', '--data', folder)
  const fromEnvironment = await runWith({ OUTLAY_REMOTE_TOKEN: remote.member.token }, ...ask)
  expect(fromEnvironment).toMatchObject({ code: 0, result: { remote: { url: remote.url } } })
  for (const { stderr } of [fromInput, fromEnvironment]) expect(stderr).not.toContain(warning)
  await runProgram('remote', 'clear', '--data', folder)
  expect(await set()).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) as string })
  const empty = startProgram([...ask, '--token', '-'])
  empty.child.stdin?.end()
  expect(await empty.ended).toMatchObject({ code: 1, stdout: '' })
  expect(await runProgram(...ask)).toMatchObject({ code: 2, stdout: '' })
})

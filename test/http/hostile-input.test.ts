import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Instance, apiOf, startInstance } from '#test/support/instance'
import { newExpense } from '#test/support/expenses'
import { sendRaw } from '#test/support/raw-http'

const web_folder = mkdtempSync(join(tmpdir(), 'outlay-web-'))
let instance: Instance
beforeAll(async () => {
  mkdirSync(join(web_folder, 'assets'))
  writeFileSync(join(web_folder, 'index.html'), '<!doctype html><title>Outlay</title>')
  writeFileSync(join(web_folder, 'package.json'), '{}')
  instance = await startInstance({ web_folder })
})
afterAll(async () => {
  await instance.remove()
  rmSync(web_folder, { recursive: true, force: true })
})

/** Comparing this with a number calls into it and throws. */
const throwing = { length: { toString: 1, valueOf: 1 } }

describe('a value whose length cannot be compared', () => {
  test('is an invalid value of the attribute that has it', async () => {
    const response = await instance.member.api.send('POST', '/expenses', { ...newExpense(instance), description: throwing })
    expect(response.status).toBe(422)
    expect(response.body.errors.description).toEqual([expect.any(String)])
  })

  test.each([
    ['POST', '/session', { token: throwing }],
    ['POST', '/batch', { operations: throwing }],
    ['POST', '/batch', { operations: [{ method: 'POST', path: '/expenses', body: { description: throwing } }] }],
    ['POST', '/organizations', { name: throwing }],
  ])('is no failure of %s %s', async (method, path, body) => {
    const response = await instance.member.api.send(method, path, body)
    expect(response.status).toBeLessThan(500)
    for (const { status } of response.body.results ?? []) expect(status).toBe(422)
  })

  test('is no failure for who has not signed in', async () => {
    for (const [path, body] of [
      ['/session', { token: throwing }],
      ['/invitations/accept', { token: throwing }],
      ['/setup', { organization: throwing, name: throwing, email: throwing }],
    ] as const)
      expect((await apiOf(instance.url, null).send('POST', path, body)).status).toBeLessThan(500)
  })

  test('is no failure in a query', async () => {
    const path = '/expenses?sort[length][toString]=1&sort[length][valueOf]=1&after[length][toString]=1&after[length][valueOf]=1'
    expect((await instance.member.api.get(path)).status).toBe(422)
    const capture = '/captures?file_name[length][toString]=1&file_name[length][valueOf]=1'
    expect((await instance.member.api.send('POST', capture, 'x', { 'content-type': 'application/octet-stream' })).status).toBe(422)
  })
})

test.each([
  '/assets/../../package.json',
  '/assets/../package.json',
  '/assets/..%2fpackage.json',
  '/assets/.%00/x',
  '/../../etc/passwd',
  '/push-worker.js/../../x',
])('%s leads nowhere, and is no failure', async (path) => {
  const { host } = new URL(instance.url)
  const { status } = await sendRaw(instance.url, { line: `GET ${path} HTTP/1.1`, headers: [`Host: ${host}`] })
  expect([400, 404]).toContain(status)
})

test.each([
  '/notification_preferences/descriptions?per_page[][toString][]=1',
  '/expenses?q[toString]=1',
  '/expenses?q[hasOwnProperty][length]=1',
  '/expenses?per_page[valueOf]=1',
])('a name that every object has is a name like any other: %s', async (path) => {
  const { status } = await instance.member.api.get(path)
  expect(status).toBe(path.startsWith('/notification') ? 200 : 422)
})

test('an object is no name of a file of a replica', async () => {
  const path = `/sync/blobs/${'a'.repeat(64)}?file_name[toString][][code]=x&content_type=image/png`
  const headers = { 'content-type': 'application/octet-stream', 'upload-length': '1' }
  expect((await instance.member.api.send('PUT', path, 'x', headers)).status).toBe(422)
})

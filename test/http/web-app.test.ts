import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'

const web_folder = mkdtempSync(join(tmpdir(), 'outlay-web-'))
let instance: Instance
beforeAll(async () => {
  mkdirSync(join(web_folder, 'assets'))
  writeFileSync(join(web_folder, 'index.html'), '<!doctype html><title>Outlay</title>')
  writeFileSync(join(web_folder, 'assets', 'main-1.js'), 'export {}')
  instance = await startInstance({ web_folder })
})
afterAll(async () => {
  await instance.remove()
  rmSync(web_folder, { recursive: true, force: true })
})

const get = (path: string, accept = 'text/html') => fetch(`${instance.url}${path}`, { headers: { accept } })

test.each(['/', '/index.html', '/review', '/review/12?queue=all', '/expenses/3'])('%s is the page, under its policy', async (path) => {
  const response = await get(path)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('<title>Outlay</title>')
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(response.headers.get('cache-control')).toBe('no-cache')
})

test('a page may send to the bucket of uploads where there is one, and nowhere else', async () => {
  const settings = {
    OUTLAY_UPLOAD_BUCKET_URL: 'https://s3.example.org:9000/receipts',
    OUTLAY_UPLOAD_BUCKET_ACCESS_KEY_ID: 'id',
    OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: 'secret',
  }
  const other = await startInstance({ web_folder, settings })
  const policyOf = async ({ url }: Instance) =>
    (await fetch(url, { headers: { accept: 'text/html' } })).headers.get('content-security-policy') ?? ''
  try {
    const policy = await policyOf(other)
    expect(policy).toContain("; connect-src 'self' https://s3.example.org:9000; ")
    expect(policy.replace(' https://s3.example.org:9000', '')).toBe(await policyOf(instance))
  } finally {
    await other.remove()
  }
})

test('an asset is cached forever, and a missing file is not found', async () => {
  const asset = await get('/assets/main-1.js', '*/*')
  expect(asset.status).toBe(200)
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect((await get('/assets/gone.js', '*/*')).status).toBe(404)
  expect((await get('/assets/..%2f..%2foutlay.db', '*/*')).status).toBe(404)
  expect((await get('/assets/', 'text/plain')).status).toBe(404)
})

test('what the build packed is sent packed to who takes it', async () => {
  const packed = brotliCompressSync('export {}')
  writeFileSync(join(web_folder, 'assets', 'main-1.js.br'), packed)
  const headersFor = async (encoding: string) =>
    (await fetch(`${instance.url}/assets/main-1.js`, { headers: { 'accept-encoding': encoding } })).headers
  expect((await headersFor('gzip, br')).get('content-encoding')).toBe('br')
  expect((await headersFor('gzip, br')).get('content-type')).toContain('javascript')
  expect((await headersFor('identity')).get('content-encoding')).toBe(null)
})

test('a large response is packed on its way to another computer, and is the same', async () => {
  const behindProxy = await startInstance({ web_folder, settings: { OUTLAY_TRUSTED_PROXIES: ['127.0.0.1'] } })
  try {
    const ask = (headers: Readonly<Record<string, string>>) =>
      fetch(`${behindProxy.url}/api/v1/openapi.json`, { headers: { 'user-agent': 'tests', 'accept-encoding': 'gzip', ...headers } })
    const [near, far] = [await ask({}), await ask({ 'x-forwarded-for': '203.0.113.7' })]
    expect([near.headers.get('content-encoding'), far.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect(await far.text()).toBe(await near.text())
    expect(far.headers.get('vary')).toContain('accept-encoding')
  } finally {
    await behindProxy.remove()
  }
})

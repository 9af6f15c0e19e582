import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'

const root = join(import.meta.dirname, '../..')
let instance: Instance
let folder: string
beforeAll(async () => {
  instance = await startInstance()
  await mkdir(join(root, 'out'), { recursive: true })
  folder = await mkdtemp(join(root, 'out/generated-client-'))
  const { body } = await instance.stranger.api.get('/openapi.json')
  const document = join(folder, 'openapi.json')
  await writeFile(document, JSON.stringify(body))
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] as const
  await createClient({ input: document, output: join(folder, 'client'), plugins: [...plugins], logs: { level: 'silent' } })
  await copyFile(join(import.meta.dirname, 'flow.ts.txt'), join(folder, 'flow.ts'))
})
afterAll(async () => {
  await instance.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a client generated from the description knows the types of what it sends and gets', async () => {
  const options = { target: 'ES2024', module: 'ESNext', moduleResolution: 'bundler', strict: true, noEmit: true }
  const compilerOptions = { ...options, lib: ['ES2024', 'DOM', 'DOM.Iterable'], types: [], skipLibCheck: true }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['flow.ts', 'client'] }))
  const compiler = join(root, 'node_modules/typescript7/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

test('it pays an advance, spends it, returns the rest, and reads errors', async () => {
  const { run } = await import(join(folder, 'flow.ts'))
  expect(await run(instance.url, instance.manager.token)).toEqual({
    balance: 0,
    statuses: ['liquidated'],
    refused: { amount: ['has more decimals than BRL allows'] },
  })
})

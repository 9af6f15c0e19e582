import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'scripts/bench.mjs')
const results = join(root, 'out/bench/results.json')

const bench = (args: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, ...env } })

test('a browser that is not there is found missing before anything is measured', () => {
  const { status, stdout, stderr } = bench(['--quick'], { CHROMIUM: '/nowhere/chromium' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('CHROMIUM names /nowhere/chromium, which is not there')
})

test('a row that does not exist is answered with those that do', () => {
  const { status, stderr } = bench(['nothing-like-it'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/No row is called "nothing-like-it"\. The rows are: .*show one expense.*; and the parts .*seal/)
})

test('what is measured is kept when the bench is ended before its last row', { timeout: 300_000 }, async () => {
  rmSync(results, { force: true })
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [script, 'show one', 'balances', '--quick', '--expenses', '1000', '--keep', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (/show one expense.*\n/.test(said)) child.kill('SIGINT')
  })
  await once(child, 'exit')
  expect(said).not.toMatch(/all balances/)
  const kept: { comparisons: Array<{ name: string; program: number; floor: number }> } = JSON.parse(readFileSync(results, 'utf8'))
  expect(kept.comparisons).toMatchObject([{ name: 'show one expense', program: expect.any(Number), floor: expect.any(Number) }])
  // What sends requests ends by itself after a second; a server would stay.
  const left = () => spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' }).stdout
  await expect.poll(left, { timeout: 60_000 }).toBe('')
})

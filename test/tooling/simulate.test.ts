import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/simulate.mjs')
const simulate = (env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [script, '--seeds', '2'], { encoding: 'utf8', env: { ...process.env, ...env } })

test('histories that are lived through end well', () => {
  const { status, stderr } = simulate()
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/2 seeds in/) })
})

test('a worker that ends before its last history is a failure', () => {
  const end = "if (process.argv[1]?.endsWith('run.js')) process.exit(0)"
  const { status, stderr } = simulate({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(end)}` })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/Only 0 of 2 histories came to an end/) })
})

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Installed beside nothing of this project: whoever does not compare needs none of it. */
const folder = join(homedir(), '.cache', 'outlay-bench-peers')
const wanted = ['pouchdb@9.0.0', 'express-pouchdb@4.2.0', 'express@4']

/** PouchDB, replicating with express-pouchdb over loopback. */
export type PeerFigures =
  | {
      readonly kind: 'measured'
      readonly version: string
      readonly records: number
      readonly pull_ms: number
      readonly pull_requests: number
      readonly changes_ms: number
      readonly first_push_ms: number
      readonly push_ms: number
    }
  | { readonly kind: 'missing'; readonly reason: string }

/** Installs the peer where it is not there yet, and measures it. */
export async function measurePeer(records: number): Promise<PeerFigures> {
  try {
    if (!existsSync(join(folder, 'node_modules', 'pouchdb'))) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{ "name": "peers", "private": true }\n')
      await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], { cwd: folder })
    }
    const script = join(import.meta.dirname, '../../test/bench/pouchdb.mjs')
    const { stdout } = await run(process.execPath, [script, folder, String(records)], { maxBuffer: 1e8 })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  } catch (error) {
    return { kind: 'missing', reason: error instanceof Error ? error.message.slice(0, 500) : String(error) }
  }
}

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** What the figures depend on. */
export function describeMachine(folder: string) {
  const db = new Database(':memory:')
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get()
  db.close()
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    sqlite,
    fsync_ms: measureFsync(folder),
  }
}

/** How long the disk takes to make a page durable: every commit waits for it. */
function measureFsync(folder: string): number {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096)
  const start = performance.now()
  for (let count = 0; count < 100; count += 1) {
    writeSync(file, page)
    fsyncSync(file)
  }
  const each = (performance.now() - start) / 100
  closeSync(file)
  rmSync(path)
  return each
}

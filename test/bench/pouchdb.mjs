// `node pouchdb.mjs FOLDER RECORDS`: PouchDB replicating with express-pouchdb, with their defaults, both as they are installed in FOLDER.
// The server is a process of its own (`FOLDER serve DATA`). Prints one line of JSON.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [, script, folder, mode, data] = process.argv
const require = createRequire(join(folder, 'package.json'))
const PouchDB = require('pouchdb')
if (mode === 'serve') serve(data)
else await measure(Number(mode))

function serve(prefix) {
  process.chdir(prefix)
  const app = require('express')()
  let requests = 0
  app.get('/count', (_request, response) => response.json({ requests }))
  app.use((_request, _response, next) => {
    requests += 1
    next()
  })
  const Stored = PouchDB.defaults({ prefix: `${prefix}/` })
  app.use('/db', require('express-pouchdb')(Stored, { logPath: join(prefix, 'log.txt'), inMemoryConfig: true }))
  const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })))
}

async function measure(records) {
  const scratch = mkdtempSync(join(tmpdir(), 'outlay-bench-pouchdb-'))
  const child = spawn(process.execPath, [script, folder, 'serve', scratch], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    const { url } = JSON.parse(line)
    const remote = new PouchDB(`${url}/db/expenses`)
    const count = async () => (await (await fetch(`${url}/count`)).json()).requests
    const text = 'x'.repeat(560)
    const make = (from, many, extra = {}) =>
      Array.from({ length: many }, (_, index) => ({ _id: String(from + index).padStart(10, '0'), amount: index, text, ...extra }))
    for (let done = 0; done < records; done += 1000) await remote.bulkDocs(make(done, Math.min(1000, records - done)))
    const local = new PouchDB(join(scratch, 'local'))
    const timed = async (work) => {
      const started = performance.now()
      await work()
      return performance.now() - started
    }
    const before = await count()
    const pull_ms = await timed(() => local.replicate.from(remote))
    const pull_requests = (await count()) - before
    const { rows } = await remote.allDocs({ limit: 1000, include_docs: true })
    await remote.bulkDocs(rows.map(({ doc }) => ({ ...doc, amount: -1 })))
    const changes_ms = await timed(() => local.replicate.from(remote))
    await local.bulkDocs(make(1_000_000, 1000))
    const first_push_ms = await timed(() => local.replicate.to(remote))
    await local.bulkDocs(make(2_000_000, 1000))
    const push_ms = await timed(() => local.replicate.to(remote))
    const { version } = require('pouchdb/package.json')
    console.log(JSON.stringify({ kind: 'measured', version, records, pull_ms, pull_requests, changes_ms, first_push_ms, push_ms }))
  } finally {
    child.kill()
    rmSync(scratch, { recursive: true, force: true })
  }
}

// A throw-away PostgreSQL on loopback for tests: what is stored is gone when it ends, so it never waits for the disk.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where Debian and its relatives keep the programs of each version. */
const versions = '/usr/lib/postgresql'

/** The folder of the newest PostgreSQL that is installed; `OUTLAY_POSTGRES_BIN` names another. */
export function findPrograms() {
  const newest = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  const folder = process.env.OUTLAY_POSTGRES_BIN ?? (newest && join(versions, newest, 'bin'))
  if (!folder || !existsSync(join(folder, 'initdb')))
    throw new Error('Install PostgreSQL 15 or later, for example with "apt-get install postgresql".')
  return folder
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package made. */
function asItsUser(program, args) {
  return process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]]
    : [program, args]
}

/** Where clusters are made: as root in a folder that PostgreSQL's own user can enter, which that of a test run is not. */
function homeOfClusters() {
  return process.getuid?.() === 0 ? '/var/tmp' : tmpdir()
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function makeFolder(home) {
  const folder = mkdtempSync(join(home, 'outlay-postgres-'))
  if (process.getuid?.() === 0) {
    const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
    chownSync(folder, idOf('-u'), idOf('-g'))
  }
  return folder
}

/** Runs one of PostgreSQL's programs to its end, as its user. */
function perform(program, args) {
  const [command, all] = asItsUser(join(findPrograms(), program), args)
  const made = spawnSync(command, all, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
}

/**
 * Starts a cluster; resolves to its address, and functions that crash and restart it and that end it. `isDurable`: it waits for the disk, as in production;
 * `home`: where its folder is made; `init`: more arguments of `initdb`; `settings`: more lines of its configuration.
 */
export async function startPostgres({ isDurable = false, home = homeOfClusters(), init = [], settings = [] } = {}) {
  const folder = makeFolder(home)
  perform('initdb', ['-D', join(folder, 'data'), '-U', 'outlay', '-A', 'trust', '-E', 'UTF8', '--locale=C', ...init])
  const unsafe = isDurable ? [] : ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off']
  return serve(folder, ["listen_addresses = '127.0.0.1'", 'max_connections = 400', ...unsafe, ...settings])
}

/** Starts a standby that follows a cluster; `SELECT pg_promote()` has it take over. */
export async function startStandby(primary) {
  const folder = makeFolder(homeOfClusters())
  perform('pg_basebackup', ['-D', join(folder, 'data'), '-d', primary.url, '-R', '-X', 'stream'])
  return serve(folder, ["synchronous_standby_names = ''"])
}

async function serve(folder, settings) {
  const port = await freePort()
  const lines = [...settings, `port = ${port}`, `unix_socket_directories = '${folder}'`]
  appendFileSync(join(folder, 'data/postgresql.auto.conf'), `${lines.join('\n')}\n`)
  const [program, args] = asItsUser(join(findPrograms(), 'postgres'), ['-D', join(folder, 'data')])
  const [ready, readyArgs] = [join(findPrograms(), 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]]
  const begin = async () => {
    const child = spawn(program, args, { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    while (spawnSync(ready, readyArgs).status !== 0) {
      if (child.exitCode !== null) throw new Error('PostgreSQL did not start.')
      await sleep(100)
    }
    return { child, ended }
  }
  let running = await begin()
  const end = async (signal) => {
    running.child.kill(signal)
    await running.ended
  }
  const crash = () => end('SIGQUIT')
  // Nothing is written any more, and the next start reads the log.
  const restart = async ({ downMs = 0 } = {}) => {
    await crash()
    await sleep(downMs)
    running = await begin()
  }
  const close = async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `postgres://outlay@127.0.0.1:${port}/postgres`, pid: () => running.child.pid, crash, restart, close }
}

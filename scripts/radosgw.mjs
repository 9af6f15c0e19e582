// `node scripts/radosgw.mjs COMMAND…`: runs a command with a real S3 next to it, Ceph's gateway from Debian, in memory and on loopback.
// It needs `apt-get install radosgw ceph-mon ceph-osd`. The bucket and its keys are in OUTLAY_BUCKET_URL and so on.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const command = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'outlay-radosgw-'))
const started = []
const startedAt = performance.now()

/** Free ports, taken together so that none is given twice. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const conf = join(folder, 'ceph.conf')
const call = (program, ...args) =>
  execFileSync(program, ['-c', conf, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
const start = (program, ...args) => {
  const child = spawn(program, ['-f', '-c', conf, ...args], { stdio: 'ignore' })
  started.push(child)
  return child
}

/** Waits for something that fails until it is there. */
async function until(what, look) {
  for (let tries = 0; tries < 120; tries += 1) {
    try {
      if (await look()) return
    } catch {
      // Not yet.
    }
    await sleep(250)
  }
  throw new Error(`${what} did not come up within 30 seconds.`)
}

async function startGateway() {
  const [monitorPort, port] = await freePorts(2)
  const fsid = randomUUID()
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(folder, name))
  const settings = {
    fsid,
    'mon host': `v1:127.0.0.1:${monitorPort}`,
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    'run dir': join(folder, 'run'),
    'admin socket': '""',
    'pid file': '""',
    'log file': '/dev/null',
    'mon cluster log file': '/dev/null',
    keyring: join(folder, 'keyring'),
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 30,
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 4,
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': 0,
    'mon allow pool size one': true,
    'mon max pg per osd': 1000,
    'ms bind msgr2': false,
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
    'rgw enable usage log': false,
  }
  writeFileSync(
    conf,
    `[global]\n${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  )
  writeFileSync(join(folder, 'keyring'), '')
  execFileSync('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, join(folder, 'monmap')], {
    stdio: 'ignore',
  })
  call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'))
  start('ceph-mon', '-i', 'a')
  await until('The monitor', () => call('ceph', '--connect-timeout', '2', 'mon', 'stat'))
  const osd = randomUUID()
  call('ceph', 'osd', 'new', osd)
  call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
  call('ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=here')
  start('ceph-osd', '-i', '0')
  await until('The storage', () => call('ceph', 'osd', 'stat').includes('1 up'))
  const gateway = start('radosgw', '-n', 'client.rgw')
  const origin = `http://127.0.0.1:${port}`
  await until('The gateway', async () => gateway.exitCode === null && (await fetch(origin)).ok)
  const [id, secret] = ['outlay', randomBytes(20).toString('hex')]
  call('radosgw-admin', 'user', 'create', '--uid', 'outlay', '--display-name', 'Outlay', '--access-key', id, '--secret-key', secret)
  return {
    OUTLAY_BUCKET_URL: `${origin}/outlay`,
    OUTLAY_BUCKET_REGION: 'default',
    OUTLAY_BUCKET_ACCESS_KEY_ID: id,
    OUTLAY_BUCKET_SECRET_ACCESS_KEY: secret,
  }
}

/** Makes the bucket, signed by hand: the program itself never makes one. */
async function makeBucket(env) {
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const { Hash } = await import('@smithy/core/serde')
  const { host, hostname, pathname } = new URL(env.OUTLAY_BUCKET_URL)
  const signer = new SignatureV4({
    credentials: { accessKeyId: env.OUTLAY_BUCKET_ACCESS_KEY_ID, secretAccessKey: env.OUTLAY_BUCKET_SECRET_ACCESS_KEY },
    region: env.OUTLAY_BUCKET_REGION,
    service: 's3',
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: false,
  })
  const request = { method: 'PUT', protocol: 'http:', hostname, path: pathname, headers: { host } }
  const { headers } = await signer.sign(request)
  const response = await fetch(env.OUTLAY_BUCKET_URL, { method: 'PUT', headers })
  if (!response.ok) throw new Error(`The bucket could not be made: ${response.status} ${await response.text()}`)
}

let code = 1
try {
  const env = await startGateway()
  await makeBucket(env)
  console.error(`radosgw is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  const [program = process.execPath, ...args] = command
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  code = await new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  for (const child of started.toReversed()) child.kill('SIGKILL')
  await sleep(200)
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = code

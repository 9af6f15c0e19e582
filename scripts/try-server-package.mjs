// `node scripts/try-server-package.mjs`: packs the server, and installs, starts, upgrades, removes and purges it in a small Debian below a
// temporary folder. It needs root, `apt-get install debootstrap` and Debian's archive, and takes some minutes.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packServer } from './package-server.mjs'

const folder = mkdtempSync(join(tmpdir(), 'outlay-package-'))
const root = process.env.OUTLAY_TRY_ROOT ?? join(folder, 'root')
const call = (program, args, options = {}) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options })
const inside = (...args) =>
  call('chroot', [root, ...args], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LANG: 'C.UTF-8' } })
const failures = []
const said = (what, isSo) => {
  process.stderr.write(`${isSo ? 'ok  ' : 'FAIL'} ${what}\n`)
  if (!isSo) failures.push(what)
}

/** Installs a package as `dpkg -i` does. */
function install(deb) {
  cpSync(deb, join(root, 'tmp', basename(deb)))
  return inside('dpkg', '--force-confold', '-i', `/tmp/${basename(deb)}`)
}

/** Starts what the unit starts, as its user and with its settings, asks it, and stops it; there is no systemd below a folder. */
async function serve(port) {
  const unit = readFileSync(join(root, 'usr/lib/systemd/system/outlay.service'), 'utf8')
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? []
  const settings = readFileSync(join(root, 'etc/outlay/outlay.env'), 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
  const args = command.replace('--port 4870', `--port ${port}`).split(' ')
  const env = [...settings, 'OUTLAY_DATA=/var/lib/outlay', 'XDG_CACHE_HOME=/var/cache/outlay', 'PATH=/usr/bin:/bin', 'HOME=/var/lib/outlay']
  const ids = ['-u', '-g'].map((flag) => inside('id', flag, 'outlay').trim())
  const server = spawn('chroot', [`--userspec=${ids.join(':')}`, root, 'env', '-i', ...env, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  const line = await Promise.race([new Promise((resolve) => server.stdout.once('data', resolve)), ended])
  const { url, version } = JSON.parse(String(line))
  const [ready, page] = await Promise.all([fetch(`${url}/health/ready`), fetch(url, { headers: { accept: 'text/html' } })])
  server.kill('SIGTERM')
  return { version, ready: ready.status, page: page.status, code: await ended }
}

try {
  if (!existsSync(join(root, 'bin/sh')))
    call('debootstrap', ['--variant=minbase', '--include=adduser,ca-certificates,libstdc++6', 'bookworm', root])
  const [first, second] = [await packServer([folder, '--fast', '--version=0.1.0']), await packServer([folder, '--fast', '--version=0.1.1'])]
  install(first)
  said('installed', inside('dpkg', '-s', 'outlay-server').includes('install ok installed'))
  said('the user outlay has its folder alone', (statSync(join(root, 'var/lib/outlay')).mode & 0o777) === 0o700)
  said('only root and the service read the settings', (statSync(join(root, 'etc/outlay/outlay.env')).mode & 0o777) === 0o640)
  said('the command line says its version', /^\d/.test(inside('outlay', '--version')))
  const once = await serve(4870)
  said(`starts, is ready, gives its page and ends: ${JSON.stringify(once)}`, once.ready === 200 && once.page === 200 && once.code === 0)
  const made = inside('runuser', '-u', 'outlay', '--', 'env', 'OUTLAY_DATA=/var/lib/outlay', 'HOME=/var/lib/outlay', 'outlay', 'demo')
  said('the command line works on its data', JSON.parse(made).organization_id > 0)
  appendFileSync(join(root, 'etc/outlay/outlay.env'), 'OUTLAY_LOG=warn\n')
  await sleep(10)
  install(second)
  said('upgraded', inside('dpkg', '-s', 'outlay-server').includes('Version: 0.1.1'))
  said('the edited settings stay', readFileSync(join(root, 'etc/outlay/outlay.env'), 'utf8').includes('OUTLAY_LOG=warn'))
  const again = await serve(4871)
  said(`starts on the data of before: ${JSON.stringify(again)}`, again.ready === 200 && again.code === 0)
  said(
    'and they are whole',
    JSON.parse(inside('runuser', '-u', 'outlay', '--', 'env', 'HOME=/var/lib/outlay', 'outlay', 'doctor', '--data', '/var/lib/outlay')).ok,
  )
  inside('dpkg', '-r', 'outlay-server')
  said('removed, and its settings stay', !existsSync(join(root, 'usr/lib/outlay/bin')) && existsSync(join(root, 'etc/outlay/outlay.env')))
  inside('dpkg', '-P', 'outlay-server')
  said('purged, and the data stay', !existsSync(join(root, 'etc/outlay')) && existsSync(join(root, 'var/lib/outlay/outlay.db')))
} catch (error) {
  failures.push(error)
  process.stderr.write(`${error instanceof Error ? `${error.message}\n${error.stderr ?? ''}` : String(error)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures.length > 0 ? 1 : 0

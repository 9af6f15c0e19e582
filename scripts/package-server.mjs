// `npm run package -- server [FOLDER]`: the server as a Debian package that brings its own Node, in FOLDER or out/packages.
// `--tree` leaves the files of the package in FOLDER instead, as the Dockerfile needs them.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { SetupError, root } from './setup.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }
/** Of the desktop, of installing, or sources: nothing that a server loads. */
const leftOut = [
  /^node_modules\/(electron-updater|adm-zip|global-agent|node-[\w-]+)(\/|$)/,
  /^node_modules\/better-sqlite3\/(src|deps)(\/|$)/,
  /\.map$/,
]

/** The packages that the built program loads: those of package-lock.json that are not for development. */
function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path)
}

/** The Node that runs the program: this one, which was found to be new enough. */
function nodeToPack() {
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const node = existsSync(own) ? own : process.execPath
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  if (Number(version.slice(1).split('.')[0]) < 24) throw new SetupError(`The package needs Node 24 or later, and ${node} is ${version}.`)
  return node
}

/** Copies what is not left out; engines of other platforms are. */
function copy(from, to) {
  const engine = `napi-v6/${process.platform}/${process.arch}`
  cpSync(join(root, from), to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => {
      const path = source.slice(root.length + 1)
      const [, platform] = /onnxruntime-node\/bin\/(napi-v6\/[\w-]+\/[\w-]+)/.exec(path) ?? []
      return !leftOut.some((one) => one.test(path)) && (platform === undefined || platform === engine)
    },
  })
}

/** Lays out the files of the package below a folder. */
function layOut(folder, version) {
  const lib = join(folder, 'usr/lib/outlay')
  for (const name of ['usr/bin', 'usr/lib/outlay/bin', 'usr/lib/systemd/system', 'etc/outlay', 'usr/share/doc/outlay-server'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  copy('out/main', join(lib, 'out/main'))
  copy('out/renderer', join(lib, 'out/renderer'))
  for (const path of runtimePackages()) if (!leftOut.some((one) => one.test(path))) copy(path, join(lib, path))
  writeFileSync(join(lib, 'package.json'), `${JSON.stringify({ name: 'outlay', version, private: true, type: 'module' })}\n`)
  cpSync(nodeToPack(), join(lib, 'bin/node'), { dereference: true })
  const from = (name) => join(root, 'deploy/debian', name)
  cpSync(from('outlay'), join(folder, 'usr/bin/outlay'))
  cpSync(from('outlay.service'), join(folder, 'usr/lib/systemd/system/outlay.service'))
  cpSync(from('outlay.env'), join(folder, 'etc/outlay/outlay.env'))
  cpSync(join(root, 'LICENSE'), join(folder, 'usr/share/doc/outlay-server/copyright'))
  setModes(folder)
}

/** As a package has them, whatever the umask of who builds it. */
function setModes(folder) {
  const programs = new Set(['usr/bin/outlay', 'usr/lib/outlay/bin/node'].map((name) => join(folder, name)))
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  for (const path of programs) execFileSync('chmod', ['0755', path])
  // It may hold secrets.
  execFileSync('chmod', ['0600', join(folder, 'etc/outlay/outlay.env')])
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0)
}

/** Writes DEBIAN/, the control files of the package. */
function control(folder, { version, maintainer, description }) {
  const scripts = join(folder, 'DEBIAN')
  mkdirSync(scripts, { recursive: true, mode: 0o755 })
  const fields = {
    Package: 'outlay-server',
    Version: version,
    Section: 'web',
    Priority: 'optional',
    Architecture: architectures[process.arch] ?? process.arch,
    Maintainer: maintainer,
    'Installed-Size': String(Math.ceil(sizeOf(folder) / 1024)),
    Depends: 'adduser, libc6 (>= 2.28), libstdc++6, ca-certificates',
    Conflicts: 'outlay',
    Description: `${description}\n The server and its command line, with the Node that runs them.`,
  }
  writeFileSync(
    join(scripts, 'control'),
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
  writeFileSync(join(scripts, 'conffiles'), '/etc/outlay/outlay.env\n')
  for (const name of ['postinst', 'prerm', 'postrm']) cpSync(join(root, 'deploy/debian', name), join(scripts, name))
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', scripts])
  for (const name of ['postinst', 'prerm', 'postrm']) execFileSync('chmod', ['0755', join(scripts, name)])
}

/** How often it is said that the compression still runs: it takes minutes. */
const saidEveryMs = 10_000

function say(text) {
  process.stderr.write(`${text}\n`)
}

/** Runs dpkg-deb, which says nothing itself, and says for how long it has run. */
async function build(args, bytes) {
  const began = Date.now()
  const progress = () => say(`  ${Math.round((Date.now() - began) / 1000)} s`)
  say(`Compressing ${(bytes / 1e6).toFixed(0)} MB. With xz it takes some minutes; --fast is quicker, and the package larger.`)
  const timer = setInterval(progress, saidEveryMs)
  try {
    const code = await new Promise((settle, fail) =>
      spawn('dpkg-deb', args, { stdio: ['ignore', 'ignore', 'inherit'] })
        .on('error', fail)
        .on('close', settle),
    )
    if (code !== 0) throw new Error(`it ended with ${code}`)
  } catch (error) {
    throw new SetupError(`dpkg-deb could not build the package: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearInterval(timer)
  }
}

/** Packs the server as it is built. `argv`: what follows `server`. Returns where the package is. */
export async function packServer(argv) {
  if (process.platform !== 'linux') throw new SetupError('The package of the server is for Linux, and is built on it.')
  const given = argv.filter((one) => !one.startsWith('--'))
  const output = resolve(given[0] ?? join(root, 'out/packages'))
  const { version, author, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (argv.includes('--tree')) {
    layOut(output, version)
    return output
  }
  const named = argv.find((one) => one.startsWith('--version='))?.slice('--version='.length) ?? version
  const folder = join(output, `outlay-server_${named}`)
  rmSync(folder, { recursive: true, force: true })
  say('Collecting the files of the package…')
  layOut(folder, named)
  control(folder, { version: named, maintainer: author, description })
  const target = join(output, `${basename(folder)}_${architectures[process.arch] ?? process.arch}.deb`)
  const packing = argv.includes('--fast') ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6']
  await build(['--build', '--root-owner-group', ...packing, folder, target], sizeOf(folder))
  rmSync(folder, { recursive: true, force: true })
  process.stderr.write(`${dirname(target)}/${basename(target)}: ${(statSync(target).size / 1e6).toFixed(0)} MB\n`)
  return target
}

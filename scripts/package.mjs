// `npm run package`: packs the desktop application for this platform with electron-builder, which is fetched for it.
// `npm run package -- server` packs the server instead (package-server.mjs). Other arguments go to electron-builder. Without OUTLAY_UPDATES_URL the packages look for no updates.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packServer } from './package-server.mjs'
import { SetupError, ensureBuild, ensureDependencies, fail, root, run } from './setup.mjs'

/** The engine that reads receipts comes with its libraries for every platform, some 50 MB each: those of others are left out. */
function enginesOfOthers() {
  const folder = 'node_modules/onnxruntime-node/bin/napi-v6'
  const all = readdirSync(join(root, folder)).flatMap((os) => readdirSync(join(root, folder, os)).map((cpu) => `${os}/${cpu}`))
  return all.filter((one) => one !== `${process.platform}/${process.arch}`).map((one) => `!${folder}/${one}{,/**}`)
}

/** Packs the desktop application. */
async function packDesktop() {
  // A dependency, which a fresh clone does not have yet as this file loads.
  const { load } = await import('js-yaml')
  const build = load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))
  const publish = process.env.OUTLAY_UPDATES_URL ? build.publish : null
  const settings = join(root, build.directories.output, 'settings.json')
  mkdirSync(join(settings, '..'), { recursive: true })
  const files = [...build.files, ...enginesOfOthers()]
  writeFileSync(settings, JSON.stringify({ ...build, files, publish }))
  const shell = process.platform === 'win32'
  const args = ['--yes', 'electron-builder@26.17.0', '--publish', 'never', '--config', settings, ...process.argv.slice(2)]
  if ((await run(shell ? 'npx.cmd' : 'npx', args, { shell })) !== 0) throw new SetupError('electron-builder could not pack the program.')
}

try {
  await ensureDependencies()
  await ensureBuild()
  if (process.argv[2] === 'server') await packServer(process.argv.slice(3))
  else await packDesktop()
} catch (error) {
  fail(error)
}

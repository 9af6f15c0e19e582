// `npm run dev`: the page with hot reload, and behind it the server, which restarts when its sources change. The demo's data are in a
// folder that is removed at the end. Only here the page has no content security policy: Vite writes scripts into it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SetupError, become, ensureDependencies, fail, node24, projectEnv, root, say } from './setup.mjs'

try {
  await ensureDependencies()
  if (Number.parseInt(process.versions.node) < 24) become(node24(), [join(root, 'scripts/dev.mjs')])
  else await develop()
} catch (error) {
  fail(error)
}

async function develop() {
  mkdirSync(join(root, 'out'), { recursive: true })
  const folder = mkdtempSync(join(root, 'out/dev-'))
  const port = await freePort()
  const server = { folder, port, ...Promise.withResolvers() }
  endWith(server)
  const { resolveConfig } = await import('electron-vite')
  const vite = await import('vite')
  const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'serve')
  const page = await vite.createServer(pageOf(config.renderer, server))
  await page.listen()
  server.pageUrl = new URL(page.resolvedUrls.local[0])
  say('Building the server…')
  const watcher = await vite.build(mainOf(config.main, folder))
  watcher.on('event', ({ code, error }) => {
    if (code === 'START') server.changedAt = Date.now()
    if (code === 'END')
      server.restarted = Promise.resolve(server.restarted)
        .then(() => restart(server))
        .catch(fail)
  })
}

/** The page's own settings, with what is not the page taken from the server: requests wait while that restarts. */
function pageOf(renderer, server) {
  const target = `http://127.0.0.1:${server.port}`
  const waits = {
    name: 'wait-for-server',
    configureServer: ({ middlewares }) =>
      void middlewares.use('/api/v1', (_request, _response, next) => void server.promise.then(() => next())),
  }
  return {
    ...renderer,
    plugins: [...renderer.plugins, waits],
    optimizeDeps: { entries: 'index.html' },
    // Its files are the page's modules: src-renderer/api is at /api.
    server: { proxy: { '^/(api/v1|files|uploads)(/|$)': { target } } },
  }
}

/** The main side's settings without the desktop. Packages are loaded where they are, as in tests: bundling them takes most of a build. */
function mainOf({ build, ...main }, folder) {
  const { main: _desktop, ...input } = build.rolldownOptions.input
  const { codeSplitting: _codeSplitting, ...output } = build.rolldownOptions.output
  const rolldownOptions = { ...build.rolldownOptions, input, output, external: [/^(?![.#/\0]|[A-Z]:)/] }
  return { ...main, build: { outDir: join(folder, 'main'), sourcemap: true, emptyOutDir: false, watch: {}, rolldownOptions } }
}

/** Starts what was built in place of what runs, and answers when it is ready or has failed. */
async function restart(server) {
  await stop(server)
  const { folder, port, pageUrl, changedAt } = server
  const [cli, data] = [join(folder, 'main/cli.js'), join(folder, 'data')]
  const env = projectEnv({ OUTLAY_ALLOWED_HOSTS: pageUrl.host, OUTLAY_LOG: 'warn' })
  if (!existsSync(data)) {
    const { status } = spawnSync(node24(), [cli, 'demo', '--data', data], { env, stdio: ['ignore', 'ignore', 2] })
    if (status !== 0) throw new SetupError('The demo could not be made.')
  }
  const args = [cli, 'serve', '--data', data, '--port', String(port), '--open-link']
  server.child = spawn(node24(), args, { env, stdio: ['ignore', 2, 'pipe'] })
  await new Promise((resolve) => {
    server.child.on('exit', resolve)
    server.child.stderr.setEncoding('utf8').on('data', (text) => {
      const [, path] = /(\/welcome#\S+)/.exec(text) ?? []
      if (path === undefined) return process.stderr.write(text)
      say(`Ready after ${Date.now() - changedAt} ms. This address signs you in once: ${new URL(path, pageUrl).href}`)
      resolve()
    })
  })
  server.resolve()
}

/** Kills it, as that is fast and its data are thrown away; requests wait from now on. */
async function stop(server) {
  const { child } = server
  if (child === undefined) return
  Object.assign(server, Promise.withResolvers())
  if (child.kill('SIGKILL')) await once(child, 'exit')
}

/** Whatever ends this process, the server and the folder go with it. */
function endWith(server) {
  process.on('exit', () => {
    server.child?.kill('SIGKILL')
    rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit())
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}

import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { type BrowserContext, chromium } from '@playwright/test'
import { schemes } from '#test/desktop/stand-in/addresses'
import { userData } from '#test/desktop/stand-in/arguments'
import { standIn } from '#test/desktop/stand-in/record'
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs'

let booting: Promise<BrowserContext> | undefined

/** The one Chromium whose pages are the windows; started with the first call. */
export function browser(): Promise<BrowserContext> {
  return (booting ??= boot())
}

/** Ends it, where it was started. */
export async function closeBrowser(): Promise<void> {
  await booting?.then((context) => context.close()).catch(() => undefined)
}

async function boot(): Promise<BrowserContext> {
  const bridge = createServer((request, response) => void answer(request, response))
  bridge.listen(0, '127.0.0.1').unref()
  await once(bridge, 'listening')
  const address = bridge.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const folder = join(userData, 'Chromium')
  const portFile = join(folder, 'DevToolsActivePort')
  rmSync(portFile, { force: true })
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    viewport: null,
    handleSIGINT: false,
    args: [
      ...chromiumArgs,
      '--remote-debugging-port=0',
      `--host-resolver-rules=MAP *.localhost:80 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
      '--use-fake-device-for-media-stream',
      ...(process.env.STAND_IN_CHROMIUM_ARGS ?? '').split(' ').filter(Boolean),
    ],
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|file|ftp|wss?):$/.test(url.protocol) && !url.hostname.endsWith('.localhost'))
      standIn.outside.push(request.url())
  })
  while (!existsSync(portFile)) await delay(10)
  process.send?.({ kind: 'browser', cdp: `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n')[0] ?? ''}` })
  return context
}

/** Hands a request of a page to the handler of its scheme: streamed both ways, and aborted when the page goes. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const aborting = new AbortController()
  response.on('close', () => aborting.abort())
  const host = (request.headers.host ?? '').replace(/\.localhost(:\d+)?$/, '')
  const [scheme] = schemes.keys()
  const handler = scheme === undefined ? undefined : schemes.get(scheme)
  // Chromium asks for it by itself; Electron never does.
  if (request.url === '/favicon.ico' || scheme === undefined || !handler) return void response.writeHead(404).end()
  try {
    const answered = await handler(toRequest(request, { scheme, host, signal: aborting.signal }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (!answered.body) return void response.end()
    Readable.fromWeb(answered.body as ReadableStream)
      .on('error', () => response.destroy())
      .pipe(response)
  } catch (error) {
    console.error('stand-in: the handler of the scheme failed', error)
    response.destroy()
  }
}

function toRequest(request: IncomingMessage, { scheme, host, signal }: { scheme: string; host: string; signal: AbortSignal }) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  headers.delete('host')
  if (headers.has('origin') && headers.get('origin') !== 'null') headers.set('origin', `${scheme}://${host}`)
  const isBodiless = request.method === 'GET' || request.method === 'HEAD'
  return new Request(`${scheme}://${host}${request.url ?? '/'}`, {
    method: request.method,
    headers,
    signal,
    ...(isBodiless ? {} : { body: Readable.toWeb(request) as BodyInit, duplex: 'half' }),
  })
}

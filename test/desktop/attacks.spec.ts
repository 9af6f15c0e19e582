import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { chromium } from '@playwright/test'
import { pageAttacks } from '#test/desktop/support/page-attacks'
import { makeComputer, test } from '#test/desktop/support/folder'
import { type Desktop, isRealElectron, pathOf, wholeBrowser } from '#test/desktop/support/launch'
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs'

/** Attacks are tried one by one; each says whether it got what it wanted. */
class Attempts {
  readonly tried: string[] = []
  readonly succeeded: string[] = []
  async try(name: string, attack: () => Promise<boolean>): Promise<void> {
    this.tried.push(name)
    // A step: where one hangs, the report names it.
    if (await test.step(name, () => attack().catch(() => false))) this.succeeded.push(name)
  }
  report(): string {
    return `${this.tried.length} tried, ${this.succeeded.length} succeeded`
  }
}

const evil = 'https://evil.example/'

async function openPage(env: Readonly<Record<string, string>> = {}): Promise<{ desktop: Desktop; page: Page }> {
  const desktop = await (await makeComputer()).start({ env })
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  return { desktop, page }
}

/** What reached the system, and what of it was let out of the application. */
function handedOut(desktop: Desktop): Promise<unknown[]> {
  return desktop.evaluate(({ standIn }) =>
    standIn.calls.filter(({ what }) => /^open(External|Path)$/.test(what)).map(({ args }) => args[0]),
  )
}

test('a page that was taken over gets neither out nor further in', async ({}, testInfo) => {
  test.skip(isRealElectron, 'a real Electron does not record what is handed out of it')
  const { desktop, page } = await openPage(wholeBrowser)
  const attempts = new Attempts()
  const settle = () => new Promise((resolve) => setTimeout(resolve, 150))
  const leaves = async (run: () => Promise<unknown>) => {
    await run().catch(() => undefined)
    await settle()
    return !page.url().startsWith('http://outlay.localhost/')
  }

  for (const url of [evil, 'http://127.0.0.1:1/', 'file:///etc/passwd', 'app://evil/', 'data:text/html,<script>1</script>', 'chrome://gpu'])
    await attempts.try(`navigation to ${url}`, () => leaves(() => page.evaluate((to) => void (location.href = to), url)))
  // Chromium asks no server for these, so the stand-in cannot stop them: what the application answers is asked directly.
  for (const url of ['about:blank', 'blob:app://outlay/1', 'blob:null/1', 'app://outlay.evil/', 'app:///outlay', 'outlay://expenses/1'])
    await attempts.try(`leave for ${url}`, () =>
      desktop.evaluate(({ BrowserWindow }, to) => {
        let isStopped = false
        const event = { url: to, preventDefault: () => (isStopped = true) }
        BrowserWindow.getAllWindows()[0]?.webContents.emit('will-navigate', event)
        return !isStopped
      }, url),
    )
  await attempts.try('navigation to a file of the application', async () => {
    await page.evaluate(() => void (location.href = '/files/x/original/text-html/x.html')).catch(() => undefined)
    await settle()
    return pathOf(page).startsWith('/files')
  })
  for (const method of ['get', 'post'])
    await attempts.try(`a form sent by ${method} to another origin`, () =>
      leaves(() =>
        page.evaluate(
          ([to, how]) => {
            const form = Object.assign(document.createElement('form'), { action: to, method: how })
            document.body.append(form)
            form.submit()
          },
          [evil, method] as const,
        ),
      ),
    )
  for (const url of [evil, 'app://outlay/review', 'file:///etc/passwd', 'javascript:alert(1)', 'about:blank'])
    await attempts.try(`window.open of ${url}`, async () => {
      await page.evaluate((to) => void window.open(to), url).catch(() => undefined)
      await settle()
      // Chromium opens it, and the stand-in closes it at once.
      return expect
        .poll(() => desktop.pages().length)
        .toBe(1)
        .then(
          () => false,
          () => true,
        )
    })
  const before = await handedOut(desktop)
  for (const url of [
    'file:///bin/sh',
    'ms-msdt:/id',
    'smb://evil/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/',
    'outlay://expenses/1',
  ])
    await attempts.try(`the system opens ${url}`, async () => {
      await page.evaluate((to) => void window.open(to), url).catch(() => undefined)
      await settle()
      return (await handedOut(desktop)).length > before.length
    })
  for (const url of [evil, 'app://outlay/review', 'file:///etc/passwd', 'data:text/html,x'])
    await attempts.try(`a frame of ${url}`, () =>
      page.evaluate(async (source) => {
        const frame = Object.assign(document.createElement('iframe'), { src: source })
        document.body.append(frame)
        await new Promise((resolve) => setTimeout(resolve, 150))
        const isThere = (frame.contentDocument?.body.textContent ?? '') !== ''
        frame.remove()
        return isThere
      }, url),
    )
  for (const [name, code] of Object.entries(pageAttacks)) await attempts.try(name, () => runAsPage(page, code))

  // The same ways lead where they should: what is counted above can be seen to happen.
  await page.evaluate((to) => void window.open(to), evil)
  await expect.poll(() => handedOut(desktop)).toEqual([...before, evil])
  expect(await runAsPage(page, 'return (await fetch("/api/v1/session")).ok')).toBe(true)
  await page.evaluate(() => void (location.href = '/settings'))
  await expect.poll(() => pathOf(page)).toBe('/settings')
  testInfo.annotations.push({ type: 'attacks of a page', description: attempts.report() })
  console.log(`Attacks of a page: ${attempts.report()}`)
  expect(attempts.succeeded).toEqual([])
})

test('calls of the wrong shape, size, name or frame are refused', async () => {
  test.skip(isRealElectron, 'a real Electron has no raw channel that a frame could use')
  const { desktop, page } = await openPage()
  const attempts = new Attempts()
  const bridge = (name: string, argument: string) => runAsPage(page, `await outlayDesktop.call(${name}, ${argument}); return true`)
  for (const [name, argument] of [
    ['"nothing"', '{}'],
    ['"__proto__"', '{}'],
    ['"constructor"', '{}'],
    ['"toString"', '{}'],
    ['null', '{}'],
    ['["desktop.show"]', '{}'],
    ['{ toString: () => "desktop.show" }', '{}'],
    ['"desktop.show"', 'null'],
    ['"desktop.show"', '{ more: 1 }'],
    ['"desktop.show"', '[]'],
    ['"desktop.show"', '() => 1'],
    ['"main.open"', '{ path: "https://evil.example/" }'],
    ['"main.open"', '{ path: "//evil.example/" }'],
    ['"main.open"', '{ path: "/\\\\evil.example" }'],
    ['"main.open"', '{ path: "/" + "x".repeat(3000) }'],
    ['"preferences.change"', '{ language: "pt" }'],
    ['"preferences.change"', '{ watched_folder: "/etc" }'],
    ['"preferences.change"', '{ opens_at_login: "yes" }'],
    ['"preferences.change"', '{ capture_shortcut: "A\\nB" }'],
    ['"state.publish"', '{ unread: -1, to_review: 0, waiting: 0, sync: "none", progress: null }'],
    ['"state.publish"', '{ unread: 1e308 * 10, to_review: 0, waiting: 0, sync: "none", progress: null }'],
    ['"commands.publish"', '{ language: "en", scopes: Array.from({ length: 31 }, () => ({ scope: "x", title: "x", commands: [] })) }'],
    ['"commands.publish"', '{ language: "en", scopes: [{ scope: "x".repeat(200000), title: "x", commands: [] }] }'],
    ['"secret.unlock"', '{ passphrase: "x".repeat(100000) }'],
    ['"secret.unlock"', '{ passphrase: { length: 3 } }'],
  ] as const)
    await attempts.try(`${name} with ${argument.slice(0, 60)}`, () => bridge(name, argument))
  await attempts.try('a call from a frame inside the page', () =>
    page.evaluate(async () => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      type Raw = { __standInCall?: (channel: string, text: string) => Promise<{ error?: string }> }
      const answer = await (frame.contentWindow as Raw | null)?.__standInCall?.('outlay:call', '["desktop.show",{}]')
      frame.remove()
      return answer !== undefined && answer.error === undefined
    }),
  )
  expect(await bridge('"desktop.show"', '{}')).toBe(true)
  console.log(`Calls: ${attempts.report()}`)
  expect(attempts.succeeded).toEqual([])
  await desktop.quit()
})

test('the local API rejects every request without a token: from another page, under another name, from outside', async () => {
  const { desktop, page } = await openPage()
  const state = await page.evaluate(() => window.outlayDesktop?.call('preferences.change', { serves_local_api: true }))
  const url = state?.local_api_url ?? ''
  const { port } = new URL(url)
  const attempts = new Attempts()
  const answers = async (headers: Record<string, string>, path = '/api/v1/session') => {
    const { status } = await rawGet(Number(port), path, headers)
    return status === 200
  }
  expect((await rawGet(Number(port), '/api/v1/health', { host: `127.0.0.1:${port}` })).status).toBe(200)
  await attempts.try('no token', () => answers({ host: `127.0.0.1:${port}` }))
  await attempts.try('a guessed local secret', () => answers({ host: `127.0.0.1:${port}`, 'x-outlay-local': '0'.repeat(64) }))
  await attempts.try('a rebound name', () => answers({ host: `evil.example:${port}` }, '/api/v1/health'))
  await attempts.try('the name of the desktop itself', () => answers({ host: 'outlay' }, '/api/v1/health'))
  await attempts.try('another origin', () => answers({ host: `127.0.0.1:${port}`, origin: 'https://evil.example' }, '/api/v1/health'))
  await attempts.try('the origin of the desktop', () => answers({ host: `127.0.0.1:${port}`, origin: 'app://outlay' }, '/api/v1/health'))
  await attempts.try('an address that is not loopback', async () => {
    const { networkInterfaces } = await import('node:os')
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address
    if (outside === undefined) return false
    return fetch(`http://${outside}:${port}/api/v1/health`).then(() => true)
  })
  await tryFromAnotherPage(attempts, port)
  await page.evaluate(() => window.outlayDesktop?.call('preferences.change', { serves_local_api: false }))
  await attempts.try('a port that was turned off', async () => (await fetch(`${url}/api/v1/health`)).ok)
  console.log(`Local API: ${attempts.report()}`)
  expect(attempts.succeeded).toEqual([])
  await desktop.quit()
})

/** A page of someone else's in the person's own browser, at an origin of its own and at a name that was rebound to this computer. */
async function tryFromAnotherPage(attempts: Attempts, port: string): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>evil</p>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = (server.address() as AddressInfo).port
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumArgs, `--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP evil.example 127.0.0.1`],
  })
  const page = await browser.newPage()
  await page.goto(`http://evil.example:${at}/`)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `rebound.example:${port}`])
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', '{}'],
    ] as const)
      await attempts.try(`another page reads ${method} ${host.split(':')[0] ?? ''}`, () =>
        page.evaluate(
          async ([to, how, sent]) => {
            const answer = await fetch(`http://${to}/api/v1/expenses`, { method: how, body: sent, credentials: 'include' })
            return answer.ok && (await answer.text()) !== ''
          },
          [host, method, body] as const,
        ),
      )
  await attempts.try('a page at a rebound name', async () => {
    const answer = await page.goto(`http://rebound.example:${port}/api/v1/health`)
    return answer?.ok() ?? false
  })
  await browser.close()
  server.close()
}

async function rawGet(port: number, path: string, headers: Record<string, string>): Promise<{ status: number }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { 'user-agent': 'attack', ...headers } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
      .on('error', reject)
      .end()
  })
}

/** Runs code in the page as its own: while the debugger evaluates, the page's policy does not hold, so it is left to come later. */
function runAsPage(page: Page, code: string): Promise<boolean> {
  return page.evaluate(`(async () => { await new Promise((resolve) => setTimeout(resolve)); ${code} })()`)
}

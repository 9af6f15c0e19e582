import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test'
import { Hosted, keepOrigin } from '../served'
import type { KeptPageHook } from './entry'

export { expect } from '@playwright/test'

declare global {
  interface Window {
    outlayTest?: KeptPageHook
  }
}

/** A page that one test after the other has, unless it was changed for good; `ended`: how many servers had ended when its cache was new. */
type KeptPage = { readonly context: BrowserContext; readonly page: Page; isChanged: boolean; ended: number }

const listened = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
] as const

/**
 * Playwright's `test` with one page a worker for each set of options (but for the size of its window, its colours and its permissions), emptied between
 * tests in place of loaded again: a third of the work. `goto` draws the interface as a page that was just loaded; `reload` does load it. A page
 * with init scripts is loaded, and closed after its test. A test of what only a new page has (service workers, clocks, sessions of the
 * browser's protocol), or of other contexts' options, imports `test` from Playwright.
 */
export const test = base.extend<object, { keptPages: Map<string, KeptPage> }>({
  keptPages: [
    async ({ browserName: _ }, use) => {
      keepOrigin()
      const pages = new Map<string, KeptPage>()
      await use(pages)
      for (const { context } of pages.values()) await context.close()
    },
    { scope: 'worker', auto: true },
  ],
  context: async (
    { browser, keptPages, locale, timezoneId, viewport, colorScheme, hasTouch, isMobile, deviceScaleFactor, permissions, contextOptions },
    use,
    testInfo,
  ) => {
    const key = JSON.stringify({ locale, timezoneId, hasTouch, isMobile, deviceScaleFactor, ...contextOptions })
    const kept = keptPages.get(key) ?? (await openPage(browser))
    keptPages.set(key, kept)
    if (viewport) await kept.page.setViewportSize(viewport)
    await kept.page.emulateMedia({
      ...{ media: null, forcedColors: 'none', contrast: 'no-preference' },
      ...{ colorScheme, reducedMotion: contextOptions.reducedMotion ?? 'no-preference' },
    })
    await kept.context.clearPermissions()
    if (permissions) await kept.context.grantPermissions(permissions)
    await forgetServers(kept)
    // Playwright begins to catch file choosers with the first listener, and does not wait until it does: a key right after it is too fast.
    kept.page.on('filechooser', () => undefined)
    await use(kept.context)
    // What a test that failed leaves is not trusted.
    const isEmpty = testInfo.status === testInfo.expectedStatus && (await emptyPage(kept))
    if (isEmpty) return
    keptPages.delete(key)
    await kept.context.close()
  },
  page: async ({ context }, use) => {
    const [page] = context.pages()
    if (page) await use(page)
  },
})

async function openPage(browser: Browser): Promise<KeptPage> {
  // Playwright adds the other options of the test.
  const context = await browser.newContext()
  const page = await context.newPage()
  const kept = { context, page, isChanged: false, ended: Hosted.ended }
  const load = page.goto.bind(page)
  page.goto = async (address, loading) => (!kept.isChanged && (await start(page, address)) ? null : load(address, loading))
  const addScript = page.addInitScript.bind(page)
  page.addInitScript = async (script, given) => {
    kept.isChanged = true
    return addScript(script, given)
  }
  return kept
}

/** Draws the interface at an address, if the page is there. */
async function start(page: Page, address: string): Promise<boolean> {
  const { origin, pathname, search, hash } = new URL(address)
  if (new URL(page.url()).origin !== origin) return false
  return page.evaluate(
    (path) => {
      window.outlayTest?.start(path)
      return window.outlayTest !== undefined
    },
    pathname + search + hash,
  )
}

/** Brings a page to what it is before a test; returns whether it could. */
async function emptyPage({ context, page, isChanged }: KeptPage): Promise<boolean> {
  if (isChanged || page.isClosed()) return false
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of listened) page.removeAllListeners(event)
  context.removeAllListeners('page').removeAllListeners('request').removeAllListeners('response')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  const isEmpty = await page.evaluate(() => window.outlayTest?.stop().then(() => true) ?? false).catch(() => false)
  if (!isEmpty) return false
  await context.setOffline(false)
  await page.mouse.move(0, 0)
  await context.clearCookies()
  return true
}

/** Copies of a folder have the same addresses: what a page has read of one server is not what it may find at the next. */
async function forgetServers(kept: KeptPage): Promise<void> {
  if (kept.ended === Hosted.ended) return
  const session = await kept.context.newCDPSession(kept.page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
  kept.ended = Hosted.ended
}

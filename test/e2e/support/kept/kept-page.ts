import { type Browser, type BrowserContext, type BrowserContextOptions, test as base, type Page } from '@playwright/test'
import { keepOrigin } from '../served'
import type { KeptPageHook } from './entry'

export { expect } from '@playwright/test'

declare global {
  interface Window {
    outlayTest?: KeptPageHook
  }
}

/** A page that one test after the other has, and what it looks like before each. */
type KeptPage = { readonly context: BrowserContext; readonly page: Page; readonly options: BrowserContextOptions }

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
 * Playwright's `test` with one page a worker for each set of options, emptied between tests in place of loaded again: a third less work. `goto`
 * draws the interface as a page that was just loaded; `reload` does load it. A test of what only a new page has (init scripts, service
 * workers, clocks, sessions of the browser's protocol), or of other contexts' options, imports `test` from Playwright.
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
    { browser, keptPages, locale, timezoneId, viewport, hasTouch, isMobile, deviceScaleFactor, permissions, contextOptions },
    use,
    testInfo,
  ) => {
    const options = { locale, timezoneId, viewport, hasTouch, isMobile, deviceScaleFactor, permissions, ...contextOptions }
    const key = JSON.stringify(options)
    const kept = keptPages.get(key) ?? (await openPage(browser, options))
    keptPages.set(key, kept)
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

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<KeptPage> {
  // Playwright adds the other options of the test.
  const context = await browser.newContext()
  const page = await context.newPage()
  const load = page.goto.bind(page)
  page.goto = async (address, loading) => ((await start(page, address)) ? null : load(address, loading))
  return { context, page, options }
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
async function emptyPage({ context, page, options }: KeptPage): Promise<boolean> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of listened) page.removeAllListeners(event)
  context.removeAllListeners('page').removeAllListeners('request').removeAllListeners('response')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  const isEmpty = await page.evaluate(() => window.outlayTest?.stop().then(() => true) ?? false).catch(() => false)
  if (!isEmpty) return false
  await context.setOffline(false)
  await page.emulateMedia({
    media: null,
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    forcedColors: 'none',
    contrast: 'no-preference',
  })
  if (options.viewport) await page.setViewportSize(options.viewport)
  await page.mouse.move(0, 0)
  await context.clearCookies()
  // Copies of a folder have the same addresses: what one test has read of them is not what the next may find.
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
  return true
}

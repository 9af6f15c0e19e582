import type { Browser, Page } from '@playwright/test'
import { apiOf, type E2eApp, startAlone, startApp } from './support/app'
import { expect, test } from './support/kept/kept-page'
import { withoutFeed } from './support/without-feed'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

const expenses = [
  { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
  { claimant: 'Bruno Reis', date: '2026-03-03', amount: 20, description: 'Lunch' },
  { claimant: 'Bruno Reis', date: '2026-03-04', amount: 30, description: 'Hotel' },
]
let app: E2eApp
let token: string
test.beforeEach(async () => {
  app = await startApp({ expenses })
  token = await app.addUser({ name: 'Maria Cruz', email: 'maria@example.org', role: 'analyst' })
})
test.afterEach(() => app.remove())

/** A page of another person, in a browser profile that shares nothing with the first. */
async function open(browser: Browser, path: string, own?: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
  return show(await context.newPage(), path, own)
}

/** Signs a page in, and shows a screen. */
async function show(page: Page, path: string, own?: string): Promise<Page> {
  await app.signIn(page, own)
  await page.goto(`${app.url}${path}`)
  return page
}

/** Approves an expense as the admin does elsewhere. */
async function approve(description: string): Promise<void> {
  const { expenses: listed } = await app.api.get('/expenses')
  const { id, amount } = listed.find((one: { description: string }) => one.description === description)
  const move = { status: 'approved', approved_amount: amount }
  await app.api.send('PUT', `/expenses/${id}/status`, move)
}
const row = (page: Page, text: string) => page.getByRole('grid', { name: 'Expenses' }).getByRole('row').filter({ hasText: text })

test(
  'what one person approves, comments on, attaches and deletes, another sees without doing anything',
  { tag: '@journey' },
  async ({ page, browser }) => {
    const ana = await show(page, '/review')
    const maria = await open(browser, '/review', token)
    await expect(row(ana, 'Taxi')).toBeVisible()
    await expect(row(maria, 'Taxi')).toBeVisible()
    await row(maria, 'Hotel').click()
    await expect(maria.getByRole('button', { name: 'Comments' }).or(maria.getByRole('tab', { name: /Comments/ }))).toBeVisible()

    await row(ana, 'Taxi').click()
    await ana.keyboard.press('a')
    await expect(row(maria, 'Taxi')).toContainText('Approved')
    await expect(maria.getByRole('link', { name: /^Review 2/ })).toBeVisible()

    const [{ id }] = (await app.api.get('/expenses?q[description_eq]=Hotel')).expenses
    await app.api.send('POST', `/expenses/${id}/comments`, { content: 'Which night was this?' })
    await maria.getByRole('tab', { name: /Comments/ }).click()
    await expect(maria.getByText('Which night was this?')).toBeVisible()
    await app.api.send('POST', `/expenses/${id}/comments`, { content: 'The second, I think.' })
    await expect(maria.getByText('The second, I think.')).toBeVisible()

    await app.api.send('DELETE', `/expenses/${id}`)
    await expect(maria.getByRole('link', { name: /^Review 1/ })).toBeVisible()
    await maria.context().close()
  },
)

test('a receipt that one person attaches appears with another, in the row and in the open details', async ({ page, browser }) => {
  const ana = await show(page, '/review')
  const maria = await open(browser, '/review', token)
  await row(maria, 'Hotel').click()
  await maria.keyboard.press('Enter')
  const marks = row(maria, 'Hotel').getByText('1 receipt', { exact: true })
  await expect(marks).toHaveCount(0)
  await row(ana, 'Hotel').click()
  await ana.keyboard.press('Enter')
  const file = { name: 'bill.xml', mimeType: 'text/xml', buffer: Buffer.from('<bill/>') }
  await ana.locator('input[type=file]').first().setInputFiles(file)
  await expect(marks).toHaveCount(1)
  await expect(maria.getByText('bill.xml').first()).toBeVisible()
  await maria.context().close()
})

test('without the feed a page shows what it wrote itself, in rows, sums and counts', async ({ page }) => {
  await withoutFeed(page)
  await app.signIn(page)
  await page.goto(`${app.url}/review`)
  await expect(page.getByRole('link', { name: /^Review 3/ })).toBeVisible()
  await row(page, 'Taxi').click()
  await page.keyboard.press('a')
  await expect(row(page, 'Taxi')).toContainText('Approved')
  await expect(page.getByRole('link', { name: /^Review 2/ })).toBeVisible()
  await row(page, 'Hotel').click()
  await page.keyboard.press('c')
  await expect(page.getByLabel('Write a comment')).toBeFocused()
  await page.keyboard.type('Which night?')
  await page.keyboard.press('Control+Enter')
  await expect(row(page, 'Hotel').getByText('1 comment', { exact: true })).toHaveCount(1)
})

test('nothing moves under the person who is reading: focus, scroll and selection stay', async ({ page }) => {
  const maria = await show(page, '/review', token)
  await row(maria, 'Lunch').click()
  await maria.keyboard.press('x')
  await approve('Taxi')
  await expect(row(maria, 'Taxi')).toContainText('Approved')
  await expect(row(maria, 'Lunch')).toHaveAttribute('aria-selected', 'true')
  await maria.keyboard.press('k')
})

test('a role that changes changes the screens at once', async ({ page }) => {
  const maria = await show(page, '/review', token)
  await expect(maria.getByRole('link', { name: /^Review \d/ })).toBeVisible()
  const { user } = await apiOf(app.url, token).get('/session')
  await app.api.send('PUT', `/organizations/1/members/${user.id}`, { role: 'member' })
  await expect(maria.getByRole('link', { name: /^Review \d/ })).toBeHidden()
})

test('two tabs share one connection, and when the one that holds it closes, the other takes over', async ({ page, context }) => {
  await app.signIn(page)
  const feeds: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/events')) feeds.push(request.frame().page() === page ? 'first' : 'second')
  })
  await page.goto(`${app.url}/review`)
  await expect(row(page, 'Taxi')).toBeVisible()
  await expect.poll(() => feeds).toEqual(['first'])
  const other = await context.newPage()
  await other.goto(`${app.url}/review`)
  await expect(row(other, 'Taxi')).toBeVisible()
  await approve('Taxi')
  await expect(row(page, 'Taxi')).toContainText('Approved')
  await expect(row(other, 'Taxi')).toContainText('Approved')
  expect(feeds).toEqual(['first'])
  await page.close()
  await expect.poll(() => feeds).toEqual(['first', 'second'])
  await approve('Lunch')
  await expect(row(other, 'Lunch')).toContainText('Approved')
})

test('after the server was killed and started again, both catch up without a reload', async ({ browser }) => {
  await app.remove()
  const alone = await startAlone({ expenses })
  app = alone
  token = await app.addUser({ name: 'Maria Cruz', email: 'maria@example.org', role: 'analyst' })
  const ana = await open(browser, '/review')
  const maria = await open(browser, '/review', token)
  await expect(row(ana, 'Taxi')).toBeVisible()
  await expect(row(maria, 'Taxi')).toBeVisible()
  await alone.served.kill()
  await alone.served.start()
  await approve('Lunch')
  for (const page of [ana, maria]) {
    await expect(row(page, 'Lunch')).toContainText('Approved')
    await expect(page.getByRole('link', { name: /^Review 2/ })).toBeVisible()
    await page.context().close()
  }
})

import { expect, test } from '@playwright/test'
import { Claim } from '../support/claim'

test.use({ locale: 'pt-BR', viewport: { width: 1440, height: 900 } })

let claim: Claim
test.beforeEach(async ({ page }) => {
  claim = await Claim.start()
  await claim.makeExpense({ description: 'Táxi' })
  await claim.signIn(page, claim.admin)
})
test.afterEach(() => claim.served.remove())

test('a page reads who is signed in and its first list once, before its program is there, and the texts of one language', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const [, name] = /^\/api\/v1\/(session|expenses)$|^\/assets\/((?:en|pt|es)(?:-later)?)-[^/]*\.js$/.exec(pathname)?.filter(Boolean) ?? []
    if (name !== undefined) asked.push(name)
  })
  const row = page.getByRole('row').filter({ hasText: 'Táxi' })
  await page.goto(`${claim.served.url}/review`)
  await expect(row).toBeVisible()
  asked.length = 0
  let arrived: string[] = []
  await page.route('**/assets/index-*.js', async (route) => {
    // The program takes its time: what the page needs is there by then.
    await expect.poll(() => asked.filter((name) => name === 'expenses')).toHaveLength(1)
    arrived = asked.toSorted()
    await route.continue()
  })
  // Sums are read once the screen has settled.
  const settled = page.waitForRequest('**/expenses/summary**')
  await page.reload()
  await expect(row).toBeVisible()
  await settled
  expect(arrived).toEqual(['en', 'expenses', 'session'])
  expect(asked.filter((name) => name !== 'en-later').toSorted()).toEqual(arrived)
})

test('a language whose texts cannot be loaded is not taken, and is once they can be', async ({ page }) => {
  await page.route('**/assets/es-*.js', (route) => route.abort())
  await page.goto(`${claim.served.url}/review`)
  const choose = async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('espa')
    await page.getByRole('button', { name: 'Language: Español' }).click()
  }
  await expect(page.getByRole('row').filter({ hasText: 'Táxi' })).toBeVisible()
  await choose()
  await expect(page.getByText('Could not load Español.', { exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB')
  await page.unroute('**/assets/es-*.js')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'Táxi' })).toBeVisible()
  await choose()
  await expect(page.locator('html')).toHaveAttribute('lang', /^es/)
})

test('a screen that could not be loaded says so, and is there once it can be and someone tries again', async ({ page }) => {
  await page.route('**/assets/capture-screen-*.js', (route) => route.abort())
  await page.goto(`${claim.served.url}/review`)
  await page.getByRole('link', { name: 'Capture' }).click()
  await expect(page.getByText('This screen stopped working.')).toBeVisible()
  await page.unroute('**/assets/capture-screen-*.js')
  await expect(async () => {
    await page.getByRole('button', { name: 'Try again' }).click({ timeout: 1000 })
    await expect(page.getByRole('textbox', { name: 'Amount' })).toBeVisible({ timeout: 1000 })
  }).toPass()
})

import { expect, test } from './support/kept/kept-page'
import { type Hosted, serveSignedIn } from './support/served'

test.use({ locale: 'en-GB' })

let served: Hosted
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture'))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
})
test.afterEach(() => served.remove())

test('two windows show the same drafts', async ({ page, context }) => {
  await page.getByRole('textbox', { name: 'Amount' }).fill('62,5')
  await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi')
  const other = await context.newPage()
  await other.goto(`${served.url}/my-expenses`)
  await expect(other.getByRole('button', { name: /Taxi Draft/ })).toBeVisible()
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi to the airport')
  await expect(other.getByRole('button', { name: /Taxi to the airport Draft/ })).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect(other.getByRole('button', { name: /Taxi to the airport/ })).toHaveCount(0)
  expect(await served.get('/expenses', token)).toMatchObject({ count: 1 })
})

test('what was typed right before a reload is there, although the disk did not get it in time', async ({ page }) => {
  await page.goto(`${served.url}/capture`)
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await page.evaluate(() => {
    // Nothing that this page writes from now on arrives.
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The page is gone.', 'AbortError')
    }
  })
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi')
  // Also what was to be written already, and was not.
  await expect(page.getByText('This browser cannot store drafts').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Description' }).fill('Taxi to the airport')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi to the airport')
  // It is on the disk now, and no longer beside it.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('outlay.draft.')).length)).toBe(0)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi to the airport')
})

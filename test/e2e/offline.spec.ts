import { expect, test, type Page } from '@playwright/test'
import { picture } from '#test/files/samples'
import { expectAccessible } from './support/axe'
import { hand } from './support/hand'
import { type Hosted, serveSignedIn } from './support/served'

test.use({ locale: 'en-GB', serviceWorkers: 'allow' })

let served: Hosted
let token: string
test.beforeEach(async ({ page }) => {
  ;({ served, token } = await serveSignedIn(page, '/capture'))
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
})
test.afterEach(() => served.remove())

const jpeg = () => picture(300, 400).jpeg().toBuffer()
const inboxRow = (page: Page, name: string) => page.getByRole('grid', { name: 'Inbox' }).getByRole('row').filter({ hasText: name })
const list = async (what: 'captures' | 'expenses') => {
  const response = (await served.get(`/${what}`, token)) as Record<string, Array<Record<string, unknown>>>
  return response[what] ?? []
}

test(
  'without a network a reload opens capture with its drafts, keeps a photo, and sends each once the network is back',
  { tag: '@journey' },
  async ({ page, context }) => {
    await page.getByRole('textbox', { name: 'Description' }).fill('Taxi')
    await page.getByRole('textbox', { name: 'Amount' }).fill('62,5')
    await context.setOffline(true)
    await page.goto(`${served.url}/review`)
    await expect(page.getByText('You are offline.')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/capture')
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Taxi')
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('62,5')
    await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
    await page.locator('input[type=file]').setInputFiles({ name: 'taxi.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await expect(page.getByText('Saved, waiting for the server')).toBeVisible()
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await expect(page.getByText('Saved on this device. Outlay sends it when it reaches the server.').first()).toBeAttached()
    await hand(page, 'drop', { name: 'hotel.jpg', type: 'image/jpeg', bytes: await jpeg() }, 'body')
    await expect(inboxRow(page, 'hotel.jpg')).toContainText('Saved on this device')
    await expect(page.getByText('Sending.')).toHaveCount(0)
    await page.reload()
    await expect(inboxRow(page, 'hotel.jpg')).toContainText('Saved on this device')
    expect(await list('captures')).toHaveLength(0)
    await expectAccessible(page)
    await context.setOffline(false)
    await expect(page.getByText(/Recorded: Taxi/).first()).toBeVisible()
    await expect(inboxRow(page, 'hotel.jpg').getByText('Saved', { exact: true })).toBeVisible()
    expect((await list('captures')).map(({ file_name }) => file_name)).toEqual(['hotel.jpg'])
    await expect(async () => expect((await list('expenses')).map(({ attachments }) => attachments)).toHaveLength(1)).toPass()
    await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0)
    await expect(page.getByText('You are offline.')).toHaveCount(0)
  },
)

test('a session that ended meanwhile is asked for again over what was captured, and nothing is lost', async ({ page, context }) => {
  await context.setOffline(true)
  await page.reload()
  // What is dropped before the page is there goes nowhere.
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expect(page.getByText('Receipts already sent are shown when Outlay reaches the server again.')).toBeVisible()
  await expect(page.getByText('Could not load the inbox.')).toHaveCount(0)
  await hand(page, 'drop', { name: 'hotel.jpg', type: 'image/jpeg', bytes: await jpeg() }, 'body')
  await expect(inboxRow(page, 'hotel.jpg')).toContainText('Saved on this device')
  await context.clearCookies()
  await context.setOffline(false)
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  expect(await list('captures')).toHaveLength(0)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(inboxRow(page, 'hotel.jpg').getByText('Saved', { exact: true })).toBeVisible()
  expect(await list('captures')).toHaveLength(1)
})

test('the kept pages hold no response of the API and no file, and who signed out is not remembered; the manifest names icons that there are', async ({
  page,
  context,
}) => {
  await hand(page, 'drop', { name: 'hotel.jpg', type: 'image/jpeg', bytes: await jpeg() }, 'body')
  await expect(inboxRow(page, 'hotel.jpg').locator('img')).toBeVisible()
  const kept = await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/')
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
  const manifest = await (await page.request.get(`${served.url}/manifest.webmanifest`)).json()
  for (const { src } of manifest.icons) expect((await page.request.get(`${served.url}${src}`)).headers()['content-type']).toBe('image/png')
  await page.getByRole('button', { name: /Ana Souza/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('textbox', { name: 'API token' })).toBeVisible()
  await context.setOffline(true)
  await page.goto(`${served.url}/capture`)
  await expect(page.getByText('Outlay does not respond.')).toBeVisible()
})

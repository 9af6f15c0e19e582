import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { expectAccessible } from '../support/axe'
import { startApp, type E2eApp } from '../support/app'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    expenses: [
      { claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' },
      { claimant: 'Bruno Reis', date: '2026-03-03', amount: 20, description: 'Lunch' },
    ],
  })
  await app.signIn(page)
  await page.goto(`${app.url}/review?queue=all&search=taxi`)
})
test.afterEach(() => app.remove())

const menu = (page: Page) => page.getByRole('button', { name: 'Saved views' })
const view = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const said = (page: Page, text: string) => page.getByRole('region', { name: 'Status' }).getByText(text).first()

/** Saves what is shown as a view, and waits until the server has it: a page that is left before takes its request with it. */
async function save(page: Page, name: string): Promise<void> {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('textbox', { name: 'Name of the view' }).fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(said(page, `Saved as “${name}”`)).toBeVisible()
}

test('a saved view is reached by its keys and by Ctrl+K from any screen', async ({ page }) => {
  await save(page, 'Taxis')
  await page.goto(`${app.url}/my-expenses`)
  await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
  // The keys are there once the views are read.
  await expect(async () => {
    await page.keyboard.press('v')
    await page.keyboard.press('1')
    await expect(page).toHaveURL(/\/review\?queue=all&search=taxi$/, { timeout: 2000 })
  }).toPass()
  await page.goto(`${app.url}/my-expenses`)
  await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or command' }).fill('taxis')
  await page.getByRole('dialog').getByText('Saved view: Taxis').click()
  await expect(page).toHaveURL(/\/review\?queue=all&search=taxi$/)
  await menu(page).click()
  await expect(view(page, 'Taxis')).toHaveAttribute('aria-current', 'page')
})

test('views are renamed and deleted, and undo takes both back', { tag: '@journey' }, async ({ page }) => {
  await save(page, 'Taxis')
  await page.goto(`${app.url}/review?queue=all&search=lunch`)
  await save(page, 'Lunches')
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Rename, share or delete…' }).click()
  await expectAccessible(page)
  const name = page.getByRole('textbox', { name: 'Name of “Taxis”' })
  await name.fill('LUNCHES')
  await expect(page.getByText('Another view has this name')).toBeVisible()
  await name.fill(' ')
  await expect(page.getByText('Enter a name')).toBeVisible()
  await name.fill('Rides')
  await page.keyboard.press('Enter')
  await expect(said(page, 'Renamed to “Rides”')).toBeVisible()
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Rename, share or delete…' }).click()
  await page.getByRole('button', { name: 'Delete “Rides”' }).click()
  await expect(said(page, 'Deleted “Rides”')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  await menu(page).click()
  // In its place, by name: the keys of the views are the same again.
  await expect(page.getByRole('menuitem').first()).toHaveAccessibleName('Lunches')
  await expect(page.getByRole('menuitem').nth(1)).toHaveAccessibleName('Rides')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('u')
  await menu(page).click()
  await expect(view(page, 'Taxis')).toBeVisible()
})

test('a name that exists is replaced knowingly, and an empty one is asked for', async ({ page }) => {
  await save(page, 'Taxis')
  await page.goto(`${app.url}/review?queue=all&search=lunch`)
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a name')).toBeVisible()
  await page.keyboard.type('taxis')
  await expect(page.getByText('A saved view has this name.')).toBeVisible()
  await page.getByRole('button', { name: 'Replace it' }).click()
  await expect(said(page, 'Replaced “taxis”')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('u')
  await menu(page).click()
  await view(page, 'Taxis').click()
  await expect(page).toHaveURL(/search=taxi$/)
})

test('a shared view shows to every member, whose keys stay as they are, and managers change it', { tag: '@journey' }, async ({ page }) => {
  const token = await app.addUser({ name: 'Marta Dias', email: 'marta@example.org', role: 'manager' })
  await expect(page.getByRole('grid', { name: 'Expenses' })).toBeFocused()
  await page.keyboard.press('v')
  await page.keyboard.press('s')
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Taxis')
  await page.getByRole('checkbox', { name: 'Share with the organization' }).check()
  await page.keyboard.press('Enter')
  await expect(said(page, 'Saved as “Taxis”')).toBeVisible()
  await app.signIn(page, token)
  await page.goto(`${app.url}/review?queue=all&search=lunch`)
  await save(page, 'Zebra')
  await menu(page).click()
  await expect(page.getByText('Shared with the organization')).toBeVisible()
  await expect(page.getByRole('menuitem').first()).toHaveAccessibleName('Zebra')
  await expect(view(page, 'Taxis')).toHaveAccessibleDescription('1 expense · Shared by Ana Souza')
  await expect(view(page, 'Taxis')).toContainText('1')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await page.keyboard.press('e')
  await expect(page.getByRole('button', { name: 'Shared by Ana Souza' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Name of “Taxis”' }).fill('Rides')
  await page.keyboard.press('Enter')
  await expect(said(page, 'Renamed to “Rides”')).toBeVisible()
  await app.signIn(page)
  await page.goto(`${app.url}/review`)
  await menu(page).click()
  await expect(view(page, 'Rides')).toBeVisible()
  await expect(view(page, 'Zebra')).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Rename, share or delete…' }).click()
  await page.getByRole('button', { name: 'Stop sharing “Rides”' }).click()
  await expect(said(page, 'No longer shared: “Rides”')).toBeVisible()
  const marta = await app.api.get('/organizations/1/saved_views')
  expect(marta.saved_views).toMatchObject([{ name: 'Rides', is_shared: false }])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('u')
  await expect.poll(async () => (await app.api.get('/organizations/1/saved_views')).saved_views[0].is_shared).toBe(true)
})

test('views that the browser kept before go to the server once', async ({ page }) => {
  // As the page goes: one that runs writes its own preferences over this.
  await page.evaluate(() => {
    const write = () => {
      const known: { state: object } = JSON.parse(localStorage.getItem('outlay.preferences') ?? '{"state":{}}')
      const savedViews = [
        { name: 'Old', address: 'queue=all&search=taxi', of: '1 1' },
        { name: 'Of another', address: 'queue=all', of: '7 1' },
      ]
      localStorage.setItem('outlay.preferences', JSON.stringify({ ...known, state: { ...known.state, savedViews } }))
    }
    addEventListener('pagehide', write, { once: true })
  })
  await page.reload()
  const stored = async () => (await app.api.get('/organizations/1/saved_views')).saved_views.map(({ name }: { name: string }) => name)
  await expect.poll(stored).toEqual(['Old'])
})

test('on a phone a long name is cut and the list stays within the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await save(page, 'The long name of a view that says every filter it has, each with all words'.slice(0, 80))
  await menu(page).click()
  await page.screenshot({ path: test.info().outputPath('views-390.png') })
  await page.getByRole('menuitem', { name: 'Rename, share or delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, share or delete…' })
  await expect(dialog).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: test.info().outputPath('names-390.png') })
})

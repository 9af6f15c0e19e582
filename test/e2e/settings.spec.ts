import type { Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { picture } from '#test/files/samples'
import { expectAccessible } from './support/axe'
import { addUser, Hosted, makeFolder, makeOrganization } from './support/served'

test.use({ locale: 'en-GB' })

let served: Hosted
test.beforeEach(async ({ page }) => {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  served = await Hosted.start(folder)
  await page.goto(`${served.url}/settings`)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Profile', level: 2 })).toBeVisible()
})
test.afterEach(() => served.remove())

/** Goes to a part by the column beside it, as a person does. */
const part = (page: Page, name: string) => page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

test('a picture, a language and a name in mentions are kept', { tag: '@journey' }, async ({ page }) => {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await picture(200, 200).png().toBuffer() })
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Name in mentions' }).fill('no spaces')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Use letters, digits, dots, hyphens and underscores, without spaces.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name in mentions' }).fill('ana.souza')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Português' }).click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByRole('heading', { name: 'Perfil', level: 2 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Nome nas menções' })).toHaveValue('ana.souza')
  await expect(page.getByRole('button', { name: 'Remover a foto' })).toBeVisible()
  await expectAccessible(page)
})

test('a token is shown once, signs in elsewhere, and is revoked', { tag: '@journey' }, async ({ page, browser }) => {
  await part(page, 'Sign-in and devices')
  await page.getByRole('textbox', { name: 'What is the new token for?' }).fill('My phone')
  await page.keyboard.press('Enter')
  const token = (await page.locator('code').textContent()) ?? ''
  expect(token.length).toBeGreaterThan(20)
  const other = await browser.newContext()
  try {
    const phone = await other.newPage()
    await phone.goto(`${served.url}/sign-in`)
    await phone.getByRole('textbox', { name: 'API token' }).fill(token)
    await phone.keyboard.press('Enter')
    await expect(phone.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
    await page.getByRole('button', { name: 'Revoke My phone' }).click()
    await page.getByRole('button', { name: 'Revoke the token' }).click()
    await expect(page.getByText('Token revoked').first()).toBeVisible()
    await phone.reload()
    await expect(phone.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  } finally {
    await other.close()
  }
})

test('an admin renames the organization and sets what distances are paid', async ({ page }) => {
  await part(page, 'General')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('x'.repeat(256))
  await name.press('Enter')
  await expect(page.getByText('Shorten this to 255 characters.', { exact: true })).toBeVisible()
  await page.route('**/organizations/1', (route) => route.abort())
  await name.press('Enter')
  await expect(page.getByText('The server does not respond. Try again in a moment.')).toBeVisible()
  await page.unroute('**/organizations/1')
  await page.getByRole('textbox', { name: 'Distance rate' }).fill('0.1234567')
  await expect(page.getByText('Enter at most 6 decimals')).toBeVisible()
  await name.fill('Acme Brasil')
  await name.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme Brasil. Switch' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Distance rate' }).fill('1,35')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved').first()).toBeVisible()
  await page.goto(`${served.url}/capture`)
  await page.getByText('Distance', { exact: true }).click()
  await expect(page.getByText('BRL 1.35 per km')).toBeVisible()
})

test('an admin sets a rate from a day: the list says from when each holds, and a trip shows the rate of its day', async ({ page }) => {
  await part(page, 'General')
  const rate = page.getByRole('textbox', { name: 'Distance rate' })
  await rate.fill('1,35')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved').first()).toBeVisible()
  const from = page.getByRole('textbox', { name: 'Valid from' })
  await expect(from).not.toHaveValue('')
  await rate.fill('1,50')
  await from.fill('2026-01-01')
  await page.keyboard.press('Enter')
  const rates = page.getByRole('list', { name: 'Rates by day' }).getByRole('listitem')
  await expect(rates).toHaveText([/From .*2026.*Current.*1\.50/, /All earlier days.*1\.35/])
  await expectAccessible(page)
  await page.goto(`${served.url}/capture`)
  await page.getByText('Distance', { exact: true }).click()
  await expect(page.getByText('BRL 1.50 per km')).toBeVisible()
  await page.getByRole('textbox', { name: 'Date' }).fill('2025-12-20')
  await expect(page.getByText('BRL 1.35 per km')).toBeVisible()
})

test('an admin has someone else approve', async ({ page }) => {
  await part(page, 'General')
  await addUser(served.folder, { name: 'Bia Lima', email: 'bia@example.org', role: 'manager' })
  const rule = page.getByRole('switch', { name: 'Someone else approves' })
  await rule.click()
  await expect(page.getByTitle('Saved')).toBeVisible()
  await page.reload()
  await expect(rule).toBeChecked()
  await expectAccessible(page)
})

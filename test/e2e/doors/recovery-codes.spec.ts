import { expect, test } from '@playwright/test'
import { expectAccessible } from '../support/axe'
import { Hosted, makeFolder, makeOrganization } from '../support/served'

test.use({ locale: 'en-GB' })

let served: Hosted
let token: string
test.beforeEach(async () => {
  const folder = await makeFolder()
  token = await makeOrganization(folder)
  served = await Hosted.start(folder)
})
test.afterEach(() => served.remove())

test('a person makes recovery codes and signs in with one, once', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${served.url}/sign-in`)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  await page.goto(`${served.url}/settings/sign-in`)
  const section = page.getByRole('region', { name: 'Recovery codes' })
  await expect(section.getByText('You have no recovery codes.')).toBeVisible()
  await section.getByRole('button', { name: 'Create ten codes' }).press('Enter')
  await expect(section.getByText('10 codes are left.')).toBeVisible()
  const [code = ''] = (await section.locator('code').innerText()).split('\n')
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Create ten codes' }).click()
  await expect(section.getByRole('button', { name: 'Create ten codes and end the earlier ones' })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${served.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a recovery code' }).click()
  const field = page.getByRole('textbox', { name: 'Recovery code' })
  await field.fill('0000-0000-0000-0000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is not valid. Each code signs in once.')).toBeVisible()
  await expectAccessible(page)
  await field.fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  await page.goto(`${served.url}/settings/sign-in`)
  await expect(section.getByText('9 codes are left.')).toBeVisible()
})

import { expect, test } from '@playwright/test'
import { type TestProvider, startProvider } from '#test/support/doors/openid-provider'
import { expectAccessible } from '../support/axe'
import { Hosted, makeFolder, makeOrganization } from '../support/served'

test.use({ locale: 'en-GB' })

let provider: TestProvider
let served: Hosted
let token = ''
async function serve(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const folder = await makeFolder()
  token = await makeOrganization(folder)
  // Nothing is mailed: the server only has to offer it.
  served = await Hosted.start(folder, { ...provider.settings, OUTLAY_SMTP_URL: 'smtp://127.0.0.1:9', ...env })
}

test.beforeEach(async () => {
  provider = await startProvider()
  provider.accounts.set('ana', { email: 'ana@example.org', email_verified: true, name: 'Ana Souza' })
  provider.accounts.set('eve', { email: 'eve@example.org', email_verified: true })
  await serve()
  provider.open([`${served.url}/sign-in/openid`])
})
test.afterEach(async () => {
  await served.remove()
  await provider.close()
})

test('a person signs in on the page of the provider and is where they wanted to be', { tag: '@journey' }, async ({ page }) => {
  await page.goto(`${served.url}/tags?sort=name`)
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('ana')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  expect(page.url()).toBe(`${served.url}/tags?sort=name`)
  await page.goto(`${served.url}/settings/sign-in`)
  await expect(page.getByText('Signed in with OpenID Connect')).toBeVisible()
})

test('the sign-in screen says why nobody is signed in, and offers every way again', async ({ page }) => {
  await page.goto(`${served.url}/sign-in`)
  provider.stop()
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await expect(page.getByText('Acme ID does not respond, so nobody can sign in with it now.')).toBeVisible()
  provider.open([`${served.url}/sign-in/openid`])
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('eve')
  await page.keyboard.press('Enter')
  const message = page.getByText('Nobody here has the e-mail address eve@example.org.')
  await expect(message).toBeVisible()
  expect(page.url()).toBe(`${served.url}/sign-in/openid`)
  await page.getByRole('button', { name: 'Sign in with an API token' }).click()
  await expect(page.getByRole('textbox', { name: 'API token' })).toBeFocused()
  await expectAccessible(page)
  // The provider still knows eve, and asks all the same.
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('eve')
  await page.keyboard.press('Enter')
  await expect(message).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(`${served.url}/sign-in`)
  await page.goto('about:blank')
  await page.goto(`${served.url}/sign-in#of-a-message`)
  await expect(page.getByText('Press the button to sign in with the link from your e-mail.')).toBeVisible()
})

test('an answer that another browser brings signs nobody in', async ({ page, browser }) => {
  await page.goto(`${served.url}/sign-in`)
  const answers: string[] = []
  await page.route('**/api/v1/session/openid', (route) => {
    answers.push(page.url())
    return route.abort()
  })
  page.on('request', (request) => {
    if (request.url().includes('/sign-in/openid?')) answers.push(request.url())
  })
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('ana')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Outlay does not respond.')).toBeVisible()
  const other = await browser.newContext()
  const lured = await other.newPage()
  await lured.goto(answers[0] ?? '')
  await expect(lured.getByText('This sign-in took too long, was used already, or began in another browser.')).toBeVisible()
  await other.close()
})

test('who has to sign in again does so in another tab, and continues where they were', async ({ page, context }) => {
  await page.goto(`${served.url}/tags`)
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('ana')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  const [session] = (await context.cookies()).filter(({ name }) => name === 'outlay_session')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  const credentials = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'e2e' }
  await fetch(`${served.url}/api/v1/user/sessions`, { method: 'DELETE', headers: credentials })
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  const [tab] = await Promise.all([context.waitForEvent('page'), dialog.getByRole('button', { name: 'Sign in with Acme ID' }).click()])
  await expect(tab.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(page.url()).toBe(`${served.url}/tags`)
})

test('at another address than the public one, the button leads there', async ({ page }) => {
  const public_url = 'https://outlay.example.org'
  await served.remove()
  await serve({ OUTLAY_PUBLIC_URL: public_url })
  await page.goto(`${served.url}/sign-in`)
  const link = page.getByRole('link', { name: 'Sign in with Acme ID at outlay.example.org' })
  await expect(link).toHaveAttribute('href', `${public_url}/sign-in`)
})

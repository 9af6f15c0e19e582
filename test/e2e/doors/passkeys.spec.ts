import { expect, type Page, test } from '@playwright/test'
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

/** Gives a page an authenticator that verifies its person; returns what says whether it does from now on. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

test('a person adds a passkey in Settings, signs in with it, and removes it', { tag: '@journey' }, async ({ page }) => {
  // Browsers take localhost for passkeys, and no address in numbers.
  const url = served.url.replace('127.0.0.1', 'localhost')
  const setVerified = await addAuthenticator(page)
  await page.goto(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()

  await page.goto(`${url}/settings/sign-in`)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByRole('textbox').fill('Work laptop')
  await setVerified(false)
  await page.keyboard.press('Enter')
  await expect(passkeys.getByRole('alert')).toContainText('No passkey was added')
  await setVerified(true)
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('listitem')).toContainText('Work laptop')
  await expect(passkeys.getByRole('listitem')).toContainText('Never used')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('alert')).toHaveText('This device already has a passkey for you.')
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto(`${url}/sign-in`)
  await setVerified(false)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('Not signed in')
  await expectAccessible(page)
  await setVerified(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()

  await page.goto(`${url}/settings/sign-in`)
  await expect(passkeys.getByRole('listitem')).not.toContainText('Never used')
  await expect(page.getByRole('region', { name: 'Signed-in browsers' })).toContainText('Signed in with a passkey')
  await passkeys.getByRole('button', { name: 'Remove Work laptop' }).click()
  await passkeys.getByRole('button', { name: 'Remove the passkey' }).click()
  await expect(passkeys.getByText('You have no passkeys.')).toBeVisible()
  await page.context().clearCookies()
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This passkey is not known here.')
})

test('where the browser is at another address, Settings says where passkeys work', async ({ page }) => {
  await page.goto(`${served.url}/sign-in`)
  await expect(page.getByRole('textbox', { name: 'API token' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden()
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  await page.goto(`${served.url}/settings/sign-in`)
  await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText(
    'Passkeys need an https address, or a browser at http://localhost.',
  )
})

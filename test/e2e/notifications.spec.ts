import { expect, test } from '@playwright/test'
import { Claim } from './support/claim'
import { Hosted, makeFolder, makeOrganization } from './support/served'

test.use({ locale: 'en-GB', serviceWorkers: 'allow' })

let served: Hosted
test.beforeEach(async ({ page }) => {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  served = await Hosted.start(folder)
  await page.goto(`${served.url}/settings/notifications`)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true, level: 2 })).toBeVisible()
})
test.afterEach(() => served.remove())

test('switches are saved at once, taken back, and turned column by column', { tag: '@journey' }, async ({ page }) => {
  const one = page.getByRole('switch', { name: 'E-mail: An expense is recorded' })
  await expect(one).toBeChecked()
  await one.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('One notification turned off').first()).toBeVisible()
  await page.reload()
  await expect(one).not.toBeChecked()
  await page.getByRole('switch', { name: 'All push' }).press('Space')
  await expect(page.getByText('20 notifications turned off').first()).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Push: A member leaves the organization' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('switch', { name: 'All push' })).toBeChecked()
  await expect(one).not.toBeChecked()
})

test('its address leads to the section, and the worker that shows pushes is served to be registered for all of Outlay', async ({
  page,
}) => {
  await page.goto('about:blank')
  await page.goto(`${served.url}/settings#notifications`)
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true, level: 2 })).toBeInViewport()
  await expect(page.getByRole('switch', { name: 'Push: A comment is deleted' })).toBeInViewport()
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.register('/service-worker.js')).scope)
  expect(scope).toBe(`${served.url}/`)
})

test(
  'what concerns someone is counted at the bell without a mail server, leads to its expense, and is then seen',
  { tag: '@journey' },
  async ({ page }) => {
    const claim = await Claim.start()
    const { id } = await claim.makeExpense()
    await claim.signIn(page, claim.claimant)
    await page.goto(`${claim.served.url}/my-expenses`)
    const bell = page.getByRole('button', { name: /^What concerns you/ })
    await expect(bell).toBeVisible()
    await page.keyboard.press('Shift+N')
    const inbox = page.getByRole('dialog', { name: 'What concerns you' })
    await expect(inbox.getByText('Nothing yet.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(inbox).toHaveCount(0)
    await claim.write('PUT', `/expenses/${String(id)}/status`, { body: { status: 'approved', approved_amount: 210 } })
    await expect(bell).toHaveAccessibleName(/1 unseen/)
    await page.keyboard.press('Shift+N')
    await inbox.getByRole('link').press('Enter')
    await expect(page).toHaveURL(new RegExp(`/expenses/${String(id)}$`))
    await expect(bell).not.toHaveAccessibleName(/unseen/)
    await page.reload()
    await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
    await expect(bell).not.toHaveAccessibleName(/unseen/)
    await claim.served.remove()
  },
)

import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, type Json, startApp } from '../support/app'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, permissions: ['camera'] })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({ expenses: [{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 10, description: 'Taxi' }] })
  await app.signIn(page)
})
test.afterEach(() => app.remove())

test('Escape in the camera leaves the draft in the form, and the photos can be brought back', { tag: '@camera' }, async ({ page }) => {
  await page.goto(`${app.url}/capture`)
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.fill('12')
  await page.getByRole('button', { name: 'Camera' }).click()
  const take = page.getByRole('button', { name: 'Take photo' })
  await expect(take).toHaveAttribute('aria-disabled', 'false')
  await take.click()
  await expect(page.getByRole('button', { name: 'Use 1 photo' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(amount).toHaveValue('12')
  const status = page.getByRole('region', { name: 'Status' })
  await expect(status).toContainText('1 photo discarded')
  await status.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Saved and uploaded')).toBeVisible()
  await expect(amount).toHaveValue('12')
})

test('Escape in a menu closes nothing but the menu', async ({ page }) => {
  await page.goto(`${app.url}/review/1`)
  await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
  await page.getByRole('button', { name: /Ana Souza/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page).toHaveURL(/\/review\/1/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/review(\?|$)/)
})

test('what is typed into a chosen value replaces it, and what fits nothing says so', async ({ page }) => {
  await page.goto(`${app.url}/accountabilities/new`)
  const claimant = page.getByRole('combobox', { name: 'Claimant' })
  await claimant.click()
  await page.keyboard.type('nobody')
  await expect(page.getByText('No matches')).toBeVisible()
  await claimant.click()
  await page.keyboard.type('bruno')
  await page.keyboard.press('Enter')
  await expect(claimant).toHaveValue('Bruno Reis')
})

test('a double click on Deactivate is one act, each act is undone in turn, and a deleted card has none', async ({ page }) => {
  const body = { name: 'Fuel', number: '4539001122339989', expiration_date: '01/30', organization_id: 1 }
  const { id }: Json = await app.api.send('POST', '/corporative_cards', body)
  const isActive = async () => (await app.api.get(`/corporative_cards/${String(id)}`)).active
  const status = page.getByRole('region', { name: 'Status' })
  await page.goto(`${app.url}/cards/${String(id)}`)
  await page.getByRole('button', { name: /^Deactivate/ }).dblclick({ delay: 30 })
  await expect(page.getByRole('button', { name: /^Activate/ })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await isActive()).toBe(false)
  await page.getByRole('button', { name: /^Activate/ }).click()
  await expect(page.getByRole('button', { name: /^Deactivate/ })).toBeVisible()
  await page.keyboard.press('u')
  await page.keyboard.press('u')
  await expect.poll(isActive).toBe(true)
  await expect(status).toContainText('Undone')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: /^Deactivate/ }).click()
  await expect(page.getByRole('button', { name: /^Activate/ })).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete card' }).dblclick()
  await expect(status).toContainText('Fuel deleted')
  await page.keyboard.press('u')
  await expect(status).toContainText('Nothing to undo.')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a switch that cannot be saved offline turns back and says so in words; a new token scrolls into view', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`${app.url}/settings/notifications`)
  const first = page.getByRole('switch', { name: 'E-mail: An expense is recorded' })
  await expect(first).toBeChecked()
  await page.context().setOffline(true)
  await first.click()
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('You are offline. Try again when you are back online.')
  await expect(first).toBeChecked()
  await page.context().setOffline(false)
  await page.goto(`${app.url}/settings/sign-in`)
  const form = page.locator('form[data-form=token-new]')
  await form.getByRole('textbox').fill('Laptop')
  await form.getByRole('button', { name: 'Create a token' }).dblclick()
  await expect(
    page
      .getByRole('main')
      .locator('code')
      .filter({ hasText: /^[0-9a-f]{48}$/ }),
  ).toBeInViewport({ ratio: 1 })
  expect((await app.api.get('/user/tokens')).tokens.filter((one: Json) => one.description === 'Laptop')).toHaveLength(1)
})

test('an address of someone who is gone lets no key act on anyone else', async ({ page }) => {
  await app.api.send('POST', '/organizations/1/tags', { name: 'Travel' })
  for (const [path, gone] of [
    ['/team/999', 'This person is no longer in the team.'],
    ['/tags/999', 'This tag no longer exists.'],
  ] as const) {
    await page.goto(`${app.url}${path}`)
    await expect(page.getByText(gone)).toBeVisible()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Backspace')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('a role that was chosen by mistake is undone by a key, right after the choice', async ({ page }) => {
  const { receiver }: Json = (await app.api.get('/expenses')).expenses[0]
  await page.goto(`${app.url}/team/${String(receiver.id)}`)
  const role = page.getByRole('combobox', { name: 'Role' })
  await role.click()
  await page.getByRole('option', { name: 'Manager' }).click()
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('is now Manager')
  await page.keyboard.press('Control+z')
  await expect(role).toHaveValue('Member')
})

test('a double click on Pay records one reimbursement and closes its form', async ({ page }) => {
  await page.goto(`${app.url}/reimbursements/new`)
  await page.getByRole('option', { name: 'Bruno Reis' }).click()
  const form = page.locator('form[data-form=reimbursement-new]')
  await form.getByRole('textbox', { name: 'Amount' }).fill('12.50')
  await form.getByRole('button', { name: 'Pay' }).dblclick()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Bruno Reis')
  const { count }: Json = await app.api.get('/reimbursements')
  expect(count).toBe(1)
})

test('approving one’s own expense where someone else has to says so', async ({ page }) => {
  await app.addUser({ name: 'Marta Dias', email: 'marta@example.org', role: 'manager' })
  await app.api.send('PATCH', '/organizations/1', { separate_approval: true })
  const own: Json = await app.api.send('POST', '/expenses', {
    ...{ payer: { id: 1, type: 'Organization' }, amount: 12, currency: 'BRL' },
    ...{ occurred_at: '2026-03-05', description: 'My own' },
  })
  await page.goto(`${app.url}/review/${String(own.id)}?queue=all`)
  await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
  await page.keyboard.press('a')
  const status = page.getByRole('region', { name: 'Status' })
  await expect(status).toContainText('Your organization has someone else approve')
})

test('the entries of an account are not compared with its balance while they are read again', async ({ page }) => {
  const { expenses }: Json = await app.api.get('/expenses')
  const parties = { payer: { id: 1, type: 'Organization' }, receiver: { id: expenses[0].receiver.id, type: 'User' } }
  await app.api.send('POST', '/advancements', { ...parties, amount: 50, currency: 'BRL', date: '2026-03-01' })
  await page.goto(`${app.url}/advances?person=${String(expenses[0].receiver.id)}&currency=BRL`)
  const entries = page.getByRole('grid', { name: 'Entries' })
  await expect(entries).toContainText('Advance')
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/advancement_devolutions\?/, async (route) => {
    if (route.request().method() === 'GET') await held
    await route.continue()
  })
  await app.api.send('POST', '/advancement_devolutions', { ...parties, amount: 10, currency: 'BRL', date: '2026-03-02' })
  await expect(page.getByText('BRL 40.00').first()).toBeVisible()
  await expect(page.getByText('The entries you have access to add up to')).toHaveCount(0)
  release()
  await expect(entries).toContainText('Return')
  await expect(page.getByText('The entries you have access to add up to')).toHaveCount(0)
})

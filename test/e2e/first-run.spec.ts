import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { expect, test } from './support/kept/kept-page'
import { Hosted, makeFolder, makeOrganization, Served } from './support/served'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })

/** Sets an organization up with the address that the server prints at its first start. */
async function setUp(page: Page, served: Served): Promise<void> {
  await page.goto(served.link)
  await page.getByRole('button', { name: /Create an organization/ }).click()
  await page.getByRole('textbox', { name: 'Name of the organization' }).fill('Acme')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ana Souza')
  await page.getByRole('textbox', { name: 'Your e-mail' }).fill('ana@example.org')
  await page.keyboard.press('Enter')
}

test('an organization is made in the browser, and its admin is signed in', { tag: '@journey' }, async ({ page }) => {
  const served = new Served(await makeFolder())
  try {
    await served.start({ link: true })
    await page.goto(served.link)
    await expect(page.getByRole('heading', { name: 'Welcome to Outlay' })).toBeVisible()
    expect(new URL(page.url()).hash).toBe('')
    await expect(page.getByRole('button', { name: /Connect to a server/ })).toBeEnabled()
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByRole('button', { name: /Create an organization/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create the organization' }).click()
    await expect(page.getByText('Fill this in')).toHaveCount(3)
    await page.getByRole('textbox', { name: 'Name of the organization' }).fill('Acme')
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ana Souza')
    await page.getByRole('textbox', { name: 'Your e-mail' }).fill('ana@example.org')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
    for (const [step, path] of [
      ['Record an expense', '/capture'],
      ['Import expenses from a file', '/import'],
      ['Invite people', '/team/invite'],
    ] as const) {
      await page.goto(`${served.url}/review`)
      await expect(page.getByText('No expenses yet.')).toBeVisible()
      await page.getByRole('button', { name: step }).click()
      await expect(page).toHaveURL(`${served.url}${path}`)
    }
    await page.goto(`${served.url}/settings`)
    await expect(page.getByRole('textbox', { name: 'Name in mentions' })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue(/Paulo|Brasilia/)
    await expectAccessible(page)
  } finally {
    await served.remove()
  }
})

test('demo data is made from the first page', { tag: '@journey' }, async ({ page }) => {
  const served = new Served(await makeFolder())
  try {
    await served.start({ link: true })
    await page.goto(served.link)
    await page.getByRole('button', { name: /Look around with demo data/ }).click()
    await page.getByRole('button', { name: 'Fill with demo data' }).click()
    await expect(page.getByRole('button', { name: /^Organization: / })).toBeVisible({ timeout: 45_000 })
    await page.goto(`${served.url}/my-expenses`)
    await expect(page.getByRole('radio', { name: /^All/ }).or(page.getByText('You have no expenses yet.'))).toBeVisible()
  } finally {
    await served.remove()
  }
})

test('without a link the set-up code is asked for, and a wrong one shows an error at the field', async ({ page }) => {
  const served = await Hosted.start(await makeFolder())
  try {
    await page.goto(`${served.url}/capture`)
    await expect(page).toHaveURL(/\/welcome$/)
    await page.getByRole('button', { name: /Create an organization/ }).click()
    await page.getByRole('textbox', { name: 'Name of the organization' }).fill('Acme')
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ana Souza')
    await page.getByRole('textbox', { name: 'Your e-mail' }).fill('ana@example.org')
    await page.getByRole('textbox', { name: 'Set-up code' }).fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This code is wrong, used or no longer valid.')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await served.remove()
  }
})

test('signing in says why a token is not accepted, and opens the page that was asked for', async ({ page }) => {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  const served = await Hosted.start(folder)
  try {
    await page.goto(`${served.url}/my-expenses?status=pending`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByRole('textbox', { name: 'API token' }).fill('nonsense')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This token is not valid')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'API token' }).fill(` ${token} `)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/my-expenses\?status=pending$/)
    await expect(page.getByText('None of your expenses has this status.')).toBeVisible()
  } finally {
    await served.remove()
  }
})

test('a one-time address signs in once', async ({ page, browser }) => {
  const folder = await makeFolder()
  await makeOrganization(folder)
  const served = new Served(folder)
  const other = await browser.newContext()
  try {
    await served.start({ link: true })
    await page.goto(served.link)
    await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
    const late = await other.newPage()
    await late.goto(served.link)
    await expect(late.getByText('This address was already used.')).toBeVisible()
  } finally {
    await other.close()
    await served.remove()
  }
})

test('a session that ends asks again over what was being typed', { tag: '@journey' }, async ({ page, context }) => {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  const served = await Hosted.start(folder)
  try {
    await page.goto(`${served.url}/capture`)
    await page.getByRole('textbox', { name: 'API token' }).fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Amount' }).fill('12,50')
    await page.getByRole('textbox', { name: 'Date' }).fill('yesterday')
    await page.getByRole('textbox', { name: 'Description' }).fill('Taxi')
    await context.clearCookies()
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'API token' }).fill(token)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Recorded: Taxi, BRL 12.50.').first()).toBeVisible()
  } finally {
    await served.remove()
  }
})

test('the first admin keeps a token before they can sign out, and comes back with it', { tag: '@journey' }, async ({ page }) => {
  const served = new Served(await makeFolder())
  try {
    await served.start({ link: true })
    await setUp(page, served)
    const signOut = async () => {
      await page.getByRole('button', { name: /Ana Souza/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    const sheet = page.getByRole('dialog', { name: 'Sign out?' })
    await signOut()
    await expect(sheet.getByRole('button', { name: 'Sign out' })).toBeDisabled()
    await sheet.getByRole('button', { name: 'Create a token' }).click()
    await expect(sheet.getByRole('button', { name: 'Sign out' })).toBeDisabled()
    // Not kept: it is made again the next time.
    await sheet.getByRole('button', { name: 'Stay signed in' }).click()
    await signOut()
    await sheet.getByRole('button', { name: 'Create a token' }).click()
    await expect(sheet.getByRole('checkbox')).toBeVisible()
    // A reload before it is kept: the person may have nothing of it.
    await page.reload()
    await signOut()
    await expect(sheet.getByRole('button', { name: 'Sign out' })).toBeDisabled()
    await sheet.getByRole('button', { name: 'Create a token' }).click()
    const token = (await sheet.locator('code').textContent()) ?? ''
    await sheet.getByRole('checkbox').check()
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'API token' }).fill(token)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
    // There is a way back now.
    await signOut()
    await expect(page.getByRole('textbox', { name: 'API token' })).toBeVisible()
  } finally {
    await served.remove()
  }
})

test('the address that set an organization up leads its admin in again, and another browser to the sign-in', async ({ page, browser }) => {
  const served = new Served(await makeFolder())
  try {
    await served.start({ link: true })
    await setUp(page, served)
    await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
    await page.goto(served.link)
    await expect(page.getByRole('button', { name: /Ana Souza/ })).toBeVisible()
    const other = await browser.newPage()
    await other.goto(served.link)
    await expect(other.getByText('This address was already used.')).toBeVisible()
    await other.close()
  } finally {
    await served.remove()
  }
})

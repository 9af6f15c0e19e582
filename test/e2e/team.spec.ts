import type { Browser, Page } from '@playwright/test'
import { expect, test } from './support/kept/kept-page'
import { z } from 'zod'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { expectAccessible } from './support/axe'
import { addUser, copiesOf, initOrganization, makeFolder, Hosted } from './support/served'

test.describe.configure({ mode: 'parallel' })
test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })

const makeTeam = copiesOf(async (folder) => {
  const admin = await initOrganization(folder)
  const bruno = await addUser(folder, { name: 'Bruno Lima', email: 'bruno@example.org', role: 'member' })
  await addUser(folder, { name: 'João Conceição', email: 'joao@example.org', role: 'analyst' })
  return { admin, bruno }
})

let mailbox: Mailbox
let served: Hosted
let token: string
let brunosToken: string
async function serve(env: Readonly<Record<string, string>>): Promise<void> {
  const folder = await makeFolder()
  const tokens = await makeTeam(folder)
  token = tokens.admin
  brunosToken = tokens.bruno
  served = await Hosted.start(folder, env)
}

test.beforeEach(async () => {
  mailbox = await startMailbox()
  await serve({ OUTLAY_SMTP_URL: mailbox.url })
})
test.afterEach(async () => {
  await served.remove()
  await mailbox.close()
})

async function signIn(page: Page, path: string, own = token): Promise<void> {
  await page.request.post(`${served.url}/api/v1/session`, { data: { token: own }, headers: { origin: served.url } })
  await page.goto(`${served.url}${path}`)
  await expect(row(page, 'Ana Souza')).toBeVisible()
}

async function send(method: string, path: string, body: object, own = token): Promise<unknown> {
  const response = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${own}:`).toString('base64')}`,
      'user-agent': 'e2e',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return response.json()
}

async function linkSentTo(address: string, count = 1): Promise<string> {
  const { text = '' } = await mailbox.waitFor(address, count)
  return /http\S+\/join#\w+/.exec(text)?.[0] ?? ''
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })).newPage()
}

const invitations = (page: Page) => page.getByRole('region', { name: 'Open invitations' })
const row = (page: Page, name: string) => page.getByRole('row', { name })

test(
  'who is invited accepts in the browser, keeps the token, and sees what a member may see',
  { tag: '@journey' },
  async ({ page, browser }) => {
    test.slow()
    await send('POST', '/expenses', {
      payer: { id: 1, type: 'Organization' },
      amount: 99,
      occurred_at: '2026-01-04',
      description: 'Dinner of the admin',
    })
    await signIn(page, '/team')
    await page.keyboard.press('n')
    const box = page.getByRole('textbox', { name: 'E-mail addresses' })
    await expect(box).toBeFocused()
    await box.fill('Carla Dias <carla@example.org>, bruno@example.org\nnot-an-address')
    await page.getByRole('button', { name: /^Invite 2 people/ }).click()
    await expect(page.getByText('1 person invited or added; 1 is already a member').first()).toBeVisible()
    await expect(box).toHaveValue('not-an-address')
    await expect(page.getByText('This is not an e-mail address; it is still in the box: not-an-address')).toBeVisible()
    await expect(invitations(page).getByText(/^Sent/)).toBeVisible()
    await expectAccessible(page)

    const guest = await newPage(browser)
    await guest.goto(await linkSentTo('carla@example.org'))
    await expect(guest.getByRole('heading', { name: 'Join Acme' })).toBeVisible()
    expect(new URL(guest.url()).hash).toBe('')
    await expect(guest.getByText(/Ana Souza invites you to Acme\./)).toBeVisible()
    await guest.reload()
    await guest.getByRole('button', { name: 'Accept and join' }).click()
    await expect(guest.getByText('Fill this in')).toBeVisible()
    await expectAccessible(guest)
    await guest.getByRole('textbox', { name: 'Your name' }).fill('Carla Dias')
    await guest.keyboard.press('Enter')
    await expect(guest.getByRole('heading', { name: 'You have joined Acme' })).toBeVisible()
    const own = (await guest.locator('code').textContent()) ?? ''
    expect(own.length).toBeGreaterThan(20)
    await expectAccessible(guest)
    await guest.getByRole('button', { name: 'Go to Outlay' }).click()

    const sidebar = guest.getByRole('navigation', { name: 'Screens' })
    await expect(sidebar.getByRole('link', { name: 'Month-end' })).toHaveCount(0)
    await sidebar.getByRole('link', { name: 'Settings' }).click()
    const settings = guest.getByRole('navigation', { name: 'Settings' })
    await expect(settings.getByRole('link', { name: 'Team' })).toBeVisible()
    await expect(settings.getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
    await expect(settings.getByRole('link', { name: 'General' })).toHaveCount(0)
    await guest.goto(`${served.url}/my-expenses`)
    await expect(guest.getByText('You have no expenses yet.')).toBeVisible()
    await guest.goto(`${served.url}/review?queue=all`)
    await expect(guest.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    await expect(guest.getByText('Dinner of the admin')).toHaveCount(0)
    await guest.goto(`${served.url}/team`)
    await expect(row(guest, 'Carla Dias')).toBeVisible()
    await expect(guest.getByRole('button', { name: /^Invite/ })).toHaveCount(0)
    await row(guest, 'Bruno Lima').click()
    await expect(guest.getByRole('heading', { name: 'Bruno Lima' })).toBeVisible()
    await expect(guest.getByRole('combobox', { name: 'Role' })).toHaveCount(0)
    await expect(guest.getByRole('button', { name: /Remove/ })).toHaveCount(0)
    await expectAccessible(guest)

    const elsewhere = await newPage(browser)
    await elsewhere.goto(`${served.url}/sign-in`)
    await elsewhere.getByRole('button', { name: 'Sign in with an API token' }).click()
    await elsewhere.getByRole('textbox', { name: 'API token' }).fill(own)
    await elsewhere.keyboard.press('Enter')
    await expect(elsewhere.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  },
)

test('a link that is worth nothing any more says what to do; one that was sent again works', async ({ page, browser }) => {
  await send('POST', '/organizations/1/members', { user: { email: 'dora@example.org' } })
  const first = await linkSentTo('dora@example.org')
  await signIn(page, '/team')
  await page.getByRole('button', { name: 'Send again: the invitation to dora@example.org' }).click()
  const second = await linkSentTo('dora@example.org', 2)
  const guest = await newPage(browser)
  await guest.goto(first)
  await expect(guest.getByRole('heading', { name: 'This invitation cannot be used' })).toBeVisible()
  await expectAccessible(guest)
  await guest.goto(second)
  await expect(guest.getByRole('heading', { name: 'Join Acme' })).toBeVisible()
  await page.getByRole('button', { name: 'Withdraw the invitation to dora@example.org' }).click()
  await page.getByRole('button', { name: 'Withdraw the invitation' }).click()
  await expect(page.getByText('Invitation to dora@example.org withdrawn').first()).toBeVisible()
  await expect(invitations(page)).toHaveCount(0)
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Dora')
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { name: 'This invitation cannot be used' })).toBeVisible()
})

test('a person who is signed in as another user is warned, and then is who was invited', async ({ page }) => {
  await send('POST', '/organizations/1/members', { user: { email: 'eva@example.org' } })
  const link = await linkSentTo('eva@example.org')
  await signIn(page, '/team')
  await page.goto(link)
  await expect(page.getByText(/This browser is signed in as Ana Souza\./)).toBeVisible()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Eva Nunes')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Go to Outlay' }).click()
  await expect(page.getByRole('button', { name: /^Eva Nunes/ })).toBeVisible()
})

test(
  'roles change by key and by choice, and can be taken back; a member is removed after a question',
  { tag: '@journey' },
  async ({ page }) => {
    await signIn(page, '/team')
    await page.keyboard.press('/')
    await page.keyboard.type('joao conc')
    await expect(page.getByText('1 person')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await row(page, 'Bruno Lima').click()
    await expect(page).toHaveURL(/\/team\/\d+$/)
    await page.keyboard.press('3')
    await expect(row(page, 'Bruno Lima').getByText('Manager')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(row(page, 'Bruno Lima').getByText('Member')).toBeVisible()
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Analyst' }).click()
    await expect(row(page, 'Bruno Lima').getByText('Analyst')).toBeVisible()
    await page.getByRole('button', { name: 'Remove from the team' }).click()
    await expect(page.getByRole('dialog', { name: 'Remove Bruno Lima from Acme?' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(row(page, 'Bruno Lima')).toHaveCount(0)
    await expect(page).toHaveURL(/\/team$/)
  },
)

test('the only admin can neither step down nor leave; anyone else can leave', async ({ page }) => {
  await signIn(page, '/team')
  await row(page, 'Ana Souza').click()
  await page.keyboard.press('1')
  await expect(page.getByText('An organization needs an admin. Make someone else an admin first.').first()).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Leave Acme' }).click()
  await page.getByRole('button', { name: 'Leave the organization' }).click()
  await expect(page.getByText(/The only admin of an organization can not leave it\./).first()).toBeVisible()
  await row(page, 'João Conceição').click()
  await page.keyboard.press('4')
  await expect(row(page, 'João Conceição').getByText('Admin')).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Leave Acme' }).click()
  await page.getByRole('button', { name: 'Leave the organization' }).click()
  await expect(page.getByText('You no longer belong to Acme').first()).toBeVisible()
})

test('without a mail server the link of an invitation lets the person in', async ({ page, browser }) => {
  await served.remove()
  await serve({})
  await signIn(page, '/team/invite')
  await page.getByRole('textbox', { name: 'E-mail addresses' }).fill('lia@example.org')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Get link: the invitation to lia@example.org' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link for lia@example.org' })
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page)
  const link = (await dialog.locator('code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const guest = await newPage(browser)
  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Join Acme' })).toBeVisible()
})

test('whom someone adds is shown by whom on every screen, until they have read it or left', async ({ page }) => {
  const made = z.object({ id: z.int() }).parse(await send('POST', '/organizations', { name: 'Casa Nova' }))
  const add = () => send('POST', `/organizations/${made.id}/members`, { user: { email: 'bruno@example.org' }, role: 'analyst' })
  await add()
  await page.setViewportSize({ width: 390, height: 820 })
  await page.request.post(`${served.url}/api/v1/session`, { data: { token: brunosToken }, headers: { origin: served.url } })
  await page.goto(`${served.url}/my-expenses`)
  // By its name: the line that says what was done is a status too, and keeps its text.
  const notice = page.getByRole('status', { name: /Casa Nova/ })
  await expect(notice.getByRole('heading', { name: 'Ana Souza added you to Casa Nova' })).toBeVisible()
  await expect(notice).toContainText('Your role is Analyst.')
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('joined-390.png') })
  await notice.getByRole('button', { name: 'Leave Casa Nova' }).click()
  await expect(notice.getByRole('heading', { name: 'Leave Casa Nova?' })).toBeVisible()
  await notice.getByRole('button', { name: 'Stay' }).click()
  await notice.getByRole('button', { name: 'Leave Casa Nova' }).click()
  await notice.getByRole('button', { name: 'Leave the organization' }).dblclick()
  await expect(page.getByText('You no longer belong to Casa Nova').first()).toBeVisible()
  await expect(notice).toHaveCount(0)

  await add()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${served.url}/settings`)
  await expect(notice).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('joined-1440.png') })
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Profile', level: 2 })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

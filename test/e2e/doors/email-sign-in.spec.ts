import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { expectAccessible } from '../support/axe'
import { Hosted, makeFolder, makeOrganization } from '../support/served'

test.use({ locale: 'en-GB' })

let served: Hosted
let mailbox: Mailbox
test.beforeEach(async () => {
  mailbox = await startMailbox()
  const folder = await makeFolder()
  await makeOrganization(folder)
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ OUTLAY_SMTP_URL: mailbox.url }))
  served = await Hosted.start(folder)
})
test.afterEach(async () => {
  await served.remove()
  await mailbox.close()
})

test('a person signs in with the code of a message, and with a link only after a press', { tag: '@journey' }, async ({ page, browser }) => {
  await page.goto(`${served.url}/sign-in`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.org')
  await page.keyboard.press('Enter')
  await expect(page.getByText('If someone here has this address, a code is on its way.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Code from the e-mail' }).fill('00000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is not valid.')).toBeVisible()
  const { text = '' } = await mailbox.waitFor('ana@example.org')
  const [code = ''] = /\d{4} \d{4}/.exec(text) ?? []
  const [link = ''] = /http\S+/.exec(text) ?? []
  const other = await browser.newContext()
  const phone = await other.newPage()
  await phone.goto(link)
  await expect(phone.getByText('Press the button to sign in')).toBeVisible()
  expect(phone.url()).not.toContain('#')
  await page.getByRole('textbox', { name: 'Code from the e-mail' }).fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Organization: Acme. Switch' })).toBeVisible()
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.getByText('This link is not valid any more.')).toBeVisible()
  await phone.getByRole('button', { name: 'Sign in with an API token' }).click()
  await expect(phone.getByRole('textbox', { name: 'API token' })).toBeVisible()
  await other.close()
})

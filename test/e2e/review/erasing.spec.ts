import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { expectAccessible } from '../support/axe'
import { addUser, copiesOf, Hosted, makeFolder, makeOrganization } from '../support/served'

test.use({ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' })

const makeTeam = copiesOf(async (folder) => {
  const admin = await makeOrganization(folder)
  await addUser(folder, { name: 'Bruno Lima', email: 'bruno@example.org', role: 'member' })
  return admin
})

let served: Hosted
let token: string
test.beforeEach(async () => {
  const folder = await makeFolder()
  token = await makeTeam(folder)
  served = await Hosted.start(folder)
})
test.afterEach(() => served.remove())

async function openBruno(page: Page): Promise<void> {
  await page.request.post(`${served.url}/api/v1/session`, { data: { token }, headers: { origin: served.url } })
  await page.goto(`${served.url}/team`)
  await page.getByText('Bruno Lima').click()
}

test(
  'an admin erases a person after typing the name, and reads before that nothing brings it back',
  { tag: '@journey' },
  async ({ page }) => {
    await openBruno(page)
    await page.getByRole('button', { name: 'Erase this person…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Erase Bruno Lima for good?' })
    await expect(sheet).toContainText('This cannot be undone.')
    const field = sheet.getByLabel('Type “Bruno Lima” to confirm')
    await expect(field).toBeFocused()
    await expectAccessible(page)
    const confirm = sheet.getByRole('button', { name: 'Erase Bruno Lima' })
    await field.fill('Bruno')
    await expect(confirm).toBeDisabled()
    await field.fill('Bruno Lima')
    await field.press('Enter')
    await expect(page.getByTitle('The person was erased')).toBeVisible()
    await expect(page.getByText('Bruno Lima')).toHaveCount(0)
  },
)

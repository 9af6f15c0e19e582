import { expect, test } from '@playwright/test'
import { Claim } from './support/claim'

let claim: Claim
test.beforeEach(async () => {
  claim = await Claim.start()
})
test.afterEach(() => claim.served.remove())

test(
  'what concerns someone is counted at the bell without a mail server, leads to its expense, and is then seen',
  { tag: '@journey' },
  async ({ page }) => {
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
  },
)

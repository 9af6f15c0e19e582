import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/kept/kept-page'
import { type E2eApp, startApp } from '../support/app'
import { expectAccessible } from '../support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })

let app: E2eApp
test.beforeEach(async ({ page }) => {
  app = await startApp({
    env: { OUTLAY_SEAL_MS: '20' },
    expenses: Array.from({ length: 40 }, (_, index) => ({
      ...{ claimant: 'Bruno Reis', date: '2026-03-02', amount: 10 + index, description: `Ride ${index}` },
    })),
  })
  await expect.poll(async () => (await app.api.get('/organizations/1/audit')).waiting).toBe(0)
  await app.signIn(page)
  await page.goto(`${app.url}/audit`)
  await expect(section(page).getByText('Last seal')).toBeVisible()
})
test.afterEach(() => app.remove())

const section = (page: Page) => page.getByRole('region', { name: 'Audit trail' })
const verify = (page: Page) => section(page).getByRole('button', { name: 'Verify' })

/** Changes the file of the database as another program does. */
function falsify(statements: string): void {
  const db = new Database(join(app.folder, 'outlay.db'))
  db.exec(statements)
  db.close()
}

test('an admin verifies the trail; after a row of the file was changed, it says which', { tag: '@journey' }, async ({ page }) => {
  await verify(page).click()
  await expect(section(page)).toContainText('Everything agrees')
  await expectAccessible(page)
  falsify('UPDATE expenses SET amount_minor = 1 WHERE id = 7')
  await verify(page).click()
  await expect(section(page).getByRole('alert')).toContainText('1 problem')
  await expect(section(page)).toContainText(/Expense 7: amount differs from entry \d+ of the trail/)
  falsify(`DROP TRIGGER activities_append_only_update;
    UPDATE activities SET occurred_at = '2020-01-01T00:00:00Z' WHERE subject_type = 'Expense' AND subject_id = 9`)
  await verify(page).click()
  await expect(section(page).getByRole('alert')).toContainText('2 problems')
  await expect(section(page)).toContainText(/The entries of seal \d+ are not those that were sealed\./)
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('wrong.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await section(page).getByRole('alert').scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('phone.png') })
})

test('a verification that takes long shows how far it is, and is stopped', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/verification\?step=records/, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await verify(page).click()
  const bar = section(page).getByRole('progressbar', { name: 'Comparing the trail with its seals' })
  await expect(bar).toBeVisible()
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  expect(Number(await bar.getAttribute('aria-valuemax'))).toBeGreaterThan(Number(await bar.getAttribute('aria-valuenow')))
  await expectAccessible(page)
  await page.screenshot({ path: test.info().outputPath('running.png') })
  await section(page).getByRole('button', { name: 'Stop' }).click()
  await expect(section(page)).toContainText(/Stopped: \d+ of \d+ verified, nothing wrong so far\./)
  release()
  await verify(page).click()
  await expect(section(page)).toContainText('Everything agrees')
})

test('a pack is offered for a period that has an end after its start', async ({ page }) => {
  const pack = section(page).getByRole('link', { name: "Download the auditor's pack" })
  await section(page).getByLabel('From').fill('2026-11-30')
  await section(page).getByLabel('To', { exact: true }).fill('2026-11-01')
  await expect(section(page)).toContainText('Choose a last day after the first one.')
  await expect(pack).toHaveCount(0)
  await expectAccessible(page)
  await section(page).getByLabel('To', { exact: true }).fill('2026-11-30')
  const downloading = page.waitForEvent('download')
  await pack.click()
  expect((await downloading).suggestedFilename()).toBe('audit_1_2026-11-30_2026-11-30.zip')
})

import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import Database from 'better-sqlite3'
import { type AloneApp, startAlone } from './support/app'
import { expectAccessible } from './support/axe'

test.use({ locale: 'en-GB', viewport: { width: 1360, height: 820 } })

const title = { en: 'The database was damaged', pt: 'O banco de dados estava danificado' }
let app: AloneApp
test.beforeEach(async () => {
  const claimant = 'bruno@example.org'
  const expenses = [1, 2, 3].map((count) => ({ claimant, date: `2026-01-0${count}`, amount: 10, description: `Taxi ${count}` }))
  app = await startAlone({ expenses })
})
test.afterEach(() => app.remove())

/** The first snapshot comes some seconds after the start; what is written after it, and then the damage. */
async function damage(): Promise<void> {
  const folder = join(app.folder, 'snapshots')
  const made = async () => (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('outlay-')).length
  await expect.poll(made).toBe(1)
  const body = { payer: { id: 1, type: 'Organization' }, amount: 99.5, currency: 'BRL', occurred_at: '2026-02-01' }
  await app.api.send('POST', '/expenses', { ...body, description: 'Hotel after the snapshot' })
  await app.served.kill()
  const database = join(app.folder, 'outlay.db')
  // The log may hold the first page again, which would heal the file.
  const opened = new Database(database)
  opened.pragma('wal_checkpoint(TRUNCATE)')
  opened.close()
  const content = await readFile(database)
  await writeFile(database, content.fill(0, 0, 100))
  await app.served.start()
}

test('after a recovery the banner says what is missing, in both languages, until someone acknowledges it', async ({ page }) => {
  await damage()
  await app.signIn(page)
  await page.goto(`${app.url}/review`)
  const told = page.getByRole('alert')
  await expect(told).toContainText(title.en)
  await expect(told).toContainText(join(app.folder, 'damaged-'))
  await told.getByText('Show the expense').click()
  await expect(told).toContainText('Hotel after the snapshot')
  await expect(page.getByRole('row', { name: /Taxi 3/ })).toBeVisible()
  await expectAccessible(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`banner-${colorScheme}.png`) })
  }
  await page.goto(`${app.url}/settings`)
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Português' }).click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByRole('heading', { name: 'Perfil', level: 2 })).toBeVisible()
  await page.goto(`${app.url}/review`)
  await expect(told).toContainText(title.pt)
  const other = await page.context().newPage()
  await other.goto(`${app.url}/advances`)
  await expect(other.getByRole('alert')).toContainText(title.pt)
  await told.getByRole('button', { name: 'Entendi' }).click()
  await expect(told).toHaveCount(0)
  await expect(other.getByRole('alert')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('row', { name: /Taxi 3/ })).toBeVisible()
  await expect(told).toHaveCount(0)
})

test('damaged records that a check found are shown with what to do, on every screen', async ({ page }) => {
  const problem = 'A row of expenses with ids 0 to 15 is not as Outlay wrote it. Restore a snapshot or a backup.'
  // A check runs ten minutes after a start: the server's answer stands in for it.
  const found = { recoveries: [], damage: { found_at: '2026-01-05T12:00:00Z', problems: [problem] } }
  await page.route('**/api/v1/recoveries', (route) => route.fulfill({ json: found }))
  await app.signIn(page)
  const notice = page.getByRole('alert').filter({ hasText: 'Some records in the database are damaged' })
  for (const [name, width, path] of [
    ['wide', 1440, '/review'],
    ['narrow', 390, '/my-expenses'],
  ] as const) {
    await page.setViewportSize({ width, height: 820 })
    await page.goto(`${app.url}${path}`)
    await expect(notice).toContainText('restore the newest sound snapshot or backup with “outlay restore”')
    await notice.getByText('Show the place').click()
    await expect(notice).toContainText(problem)
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath(`damage-${name}.png`) })
  }
})

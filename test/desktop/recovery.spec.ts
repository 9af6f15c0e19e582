import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { makeComputer, test } from '#test/desktop/support/folder'
import { pathOf } from '#test/desktop/support/launch'
import { expectAccessible } from '#test/e2e/support/axe'

const titles = { en: 'The database was damaged, and there is no good snapshot of it', pt: /danificado e não há nenhuma cópia boa/ }

test('after starting over without a good snapshot, every page shows a notice until someone acknowledges it', async () => {
  const computer = await makeComputer()
  await truncate(join(computer.data, 'outlay.db'), 5000)
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect.poll(() => pathOf(page)).toBe('/welcome')
  const told = page.getByRole('alert')
  await page.getByText('English', { exact: true }).click()
  await expect(told).toContainText(titles.en)
  await expect(told).toContainText(join(computer.data, 'damaged-'))
  await expect(told).toContainText('outlay restore')
  await expectAccessible(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`welcome-${colorScheme}.png`), fullPage: true })
  }
  await page.getByText('Português', { exact: true }).click()
  await expect(told).toContainText(titles.pt)
  await page.getByText('English', { exact: true }).click()
  await page.getByRole('button', { name: /Create an organization/ }).click()
  await page.getByRole('textbox', { name: 'Name of the organization' }).fill('Acme')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ana Souza')
  await page.getByRole('textbox', { name: 'Your e-mail' }).fill('ana@example.org')
  await page.keyboard.press('Enter')
  await expect.poll(() => pathOf(page)).toBe('/review')
  await expect(told).toContainText(titles.en)
  await page.screenshot({ path: test.info().outputPath('banner.png') })
  await told.getByRole('button', { name: 'Understood' }).click()
  await expect(told).toHaveCount(0)
  expect(await desktop.quit(), desktop.output.join('')).toBe(0)
})

test('unreadable settings are reported, and block nothing', async () => {
  const computer = await makeComputer()
  await writeFile(join(computer.data, 'settings.json'), '{')
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('alert')).toContainText('The settings file was damaged')
  expect(await desktop.quit(), desktop.output.join('')).toBe(0)
})

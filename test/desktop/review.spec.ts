import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { makeComputer, test } from '#test/desktop/support/folder'
import { type Json, type SampleExpense, toCsv } from '#test/e2e/support/app'

const expenses: SampleExpense[] = Array.from({ length: 120 }, (_, index) => ({
  claimant: ['Ana Lima', 'Bruno Reis', 'Carla Dias'][index % 3] ?? '',
  date: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
  amount: 10 + index,
  description: `Taxi ${index}`,
}))

const grid = (page: Page) => page.getByRole('grid', { name: 'Expenses' })

/** What the embedded server answers to the page. */
function api(page: Page, path: string): Promise<Json> {
  return page.evaluate(async (at) => (await fetch(`/api/v1${at}`)).json(), path)
}

async function countsOfBruno(page: Page): Promise<Record<string, number>> {
  const people = await api(page, '/expenses/summary?group_by=receiver')
  const id: unknown = people.groups.find(({ label }: Json) => label === 'Bruno Reis')?.key
  const { groups } = await api(page, `/expenses/summary?group_by=status&q[receiver_id_eq]=${String(id)}`)
  return Object.fromEntries(groups.map(({ key, count }: Json) => [key, count]))
}

test(
  'without a server a reviewer clears one claimant by keyboard: a part, a rejection, the rest at once, undone and done again',
  { tag: '@journey' },
  async () => {
    const table = join(await mkdtemp(join(tmpdir(), 'outlay-table-')), 'expenses.csv')
    await writeFile(table, toCsv(expenses))
    const computer = await makeComputer({ table })
    const desktop = await computer.start()
    const page = await desktop.mainPage()
    await expect(grid(page).getByRole('row').nth(1)).not.toHaveAttribute('aria-busy', 'true')
    await expect(grid(page)).toBeFocused()
    await page.keyboard.press('f')
    await expect(page.getByRole('menuitem', { name: 'Claimant', exact: true })).toBeVisible()
    // The menu takes the focus a moment after it is drawn.
    await expect(page.locator('[role=menu]:focus-within')).toBeVisible()
    const claimant = page.getByRole('menuitem', { name: 'Claimant', exact: true })
    for (let step = 0; step < 30; step += 1) {
      if (await claimant.evaluate((item) => item === document.activeElement)) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Claimant' })).toBeFocused()
    await page.keyboard.type('Bruno')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Claimant: Bruno Reis' })).toBeVisible()
    await expect(grid(page)).toBeFocused()

    await expect(page.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'To review' })).toContainText('40')
    await expect(
      grid(page)
        .getByRole('row')
        .filter({ hasText: /Ana L|Carla/ }),
    ).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Expense' })).toContainText('Taxi')
    await page.keyboard.press('p')
    await expect(page.getByRole('textbox', { name: /Approved amount/ })).toBeFocused()
    await page.keyboard.type('7.50')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Only the fare is covered')
    await page.keyboard.press('Enter')
    await expect.poll(() => countsOfBruno(page)).toEqual({ awaiting_analysis: 39, approved: 1 })
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await page.keyboard.type('Not a business trip')
    await page.keyboard.press('Enter')
    await expect.poll(() => countsOfBruno(page)).toEqual({ awaiting_analysis: 38, approved: 1, rejected: 1 })
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Expense' })).toBeHidden()
    await page.keyboard.press('Control+Shift+A')
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog', { name: '38 will be approved' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('38 approved.').first()).toBeVisible()
    await expect.poll(() => countsOfBruno(page)).toEqual({ approved: 39, rejected: 1 })
    await page.keyboard.press('Control+z')
    await expect(page.getByText('Undone: 38 approved.').first()).toBeVisible()
    expect(await countsOfBruno(page)).toEqual({ awaiting_analysis: 38, approved: 1, rejected: 1 })
    await page.keyboard.press('Control+Shift+Z')
    await expect(page.getByText('Redone: 38 approved.').first()).toBeVisible()
    expect(await desktop.quit(), desktop.output.join('')).toBe(0)

    const again = await computer.start()
    const later = await again.mainPage()
    await expect(later.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
    expect(await countsOfBruno(later)).toEqual({ approved: 39, rejected: 1 })
  },
)

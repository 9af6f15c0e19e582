import { expect } from '@playwright/test'
import { makeComputer, test } from '#test/desktop/support/folder'
import { pathOf } from '#test/desktop/support/launch'

test('the built program opens its window on the review list', async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  expect(pathOf(page)).toBe('/review')
  expect(await desktop.quit(), desktop.output.join('')).toBe(0)
})

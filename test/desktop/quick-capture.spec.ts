import { expect } from '@playwright/test'
import { openCapture, uniqueInvoice } from '#test/desktop/support/capturing'
import { makeComputer, test } from '#test/desktop/support/folder'
import { isRealElectron, wholeBrowser } from '#test/desktop/support/launch'
import { expectAccessible } from '#test/e2e/support/axe'
import { hand } from '#test/e2e/support/hand'

/** The application with the window of quick capture beside its main one. */
async function openQuickCapture(env: Readonly<Record<string, string>>) {
  const computer = await makeComputer()
  const desktop = await computer.start({ env })
  const main = await desktop.mainPage()
  await openCapture(main)
  await main.getByRole('button', { name: 'Quick capture' }).click()
  return { desktop, main, quick: await desktop.pageAt('/quick-capture') }
}

test(
  'quick capture opens a separate window, and its shots are in the inbox or in the form of the main window when it is done',
  { tag: '@journey' },
  async () => {
    const { desktop, main, quick } = await openQuickCapture(wholeBrowser)
    await expect(quick.getByRole('button', { name: 'Take photo' })).toBeEnabled()
    await quick.keyboard.press('Space')
    await hand(quick, 'drop', uniqueInvoice('taxi.pdf'), 'body')
    await expect(quick.getByRole('listitem').filter({ hasText: 'Saved' })).toHaveCount(2)
    await expect(main.getByRole('grid', { name: 'Inbox' }).getByRole('row').filter({ hasText: 'taxi.pdf' })).toContainText('Saved')
    await expectAccessible(quick)
    await quick.getByRole('textbox', { name: 'Note' }).fill('Taxi')
    await quick.keyboard.press('Control+Enter')
    await expect.poll(() => quick.isClosed()).toBe(true)
    await expect(main.getByRole('grid', { name: 'Inbox' })).toContainText('Taxi')

    await main.getByRole('button', { name: 'Quick capture' }).click()
    const next = await desktop.pageAt('/quick-capture')
    await expect(next.getByRole('heading', { name: 'Quick capture' })).toBeVisible()
    await hand(next, 'drop', uniqueInvoice('hotel.pdf'), 'body')
    await expect(next.getByRole('listitem').filter({ hasText: 'Saved' })).toHaveCount(1)
    await next.getByRole('button', { name: 'New expense' }).click()
    await expect(main.getByRole('list', { name: 'Receipts' }).getByRole('listitem')).toContainText('hotel.pdf')
    await expect.poll(() => next.isClosed()).toBe(true)
    await desktop.quit()
  },
)

test('a part of the screen is captured', async () => {
  test.skip(isRealElectron, "the picture of the screen is one that Chromium's own switches choose")
  const { desktop, quick } = await openQuickCapture({
    ...wholeBrowser,
    STAND_IN_CHROMIUM_ARGS: '--use-fake-ui-for-media-stream --auto-select-desktop-capture-source=Entire',
  })
  await quick.getByRole('button', { name: 'Screen region' }).click()
  const region = quick.getByRole('application')
  await expect(region).toBeFocused()
  const box = await region.boundingBox()
  if (!box) throw new Error('The picture is not on the screen.')
  await quick.mouse.move(box.x + box.width / 4, box.y + box.height / 4)
  await quick.mouse.down()
  await quick.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 })
  await quick.mouse.up()
  await quick.keyboard.press('Enter')
  await expect(quick.getByRole('listitem').filter({ hasText: 'Saved' })).toHaveCount(1)
  await desktop.quit()
})

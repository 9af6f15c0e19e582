import { expect } from '@playwright/test'
import { openCapture, uniqueInvoice } from '#test/desktop/support/capturing'
import { makeComputer, test } from '#test/desktop/support/folder'
import { isRealElectron, wholeBrowser } from '#test/desktop/support/launch'
import { expectAccessible } from '#test/e2e/support/axe'
import { hand } from '#test/e2e/support/hand'

/** The application with the window of quick capture beside its main one. */
async function openQuickCapture(env: Readonly<Record<string, string>> = {}) {
  const computer = await makeComputer()
  const desktop = await computer.start({ env })
  const main = await desktop.mainPage()
  await openCapture(main)
  await main.getByRole('button', { name: 'Quick capture' }).click()
  return { desktop, main, quick: await desktop.pageAt('/quick-capture') }
}

test('quick capture opens a separate window, and its shots are in the inbox when it is done', { tag: '@journey' }, async () => {
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
  await desktop.quit()
})

test('quick capture hands its shots to the form of the main window', async () => {
  const { desktop, main, quick } = await openQuickCapture()
  await expect(quick.getByRole('heading', { name: 'Quick capture' })).toBeVisible()
  await hand(quick, 'drop', uniqueInvoice('taxi.pdf'), 'body')
  await expect(quick.getByRole('listitem').filter({ hasText: 'Saved' })).toHaveCount(1)
  await quick.getByRole('button', { name: 'New expense' }).click()
  await expect(main.getByRole('list', { name: 'Receipts' }).getByRole('listitem')).toContainText('taxi.pdf')
  await expect.poll(() => quick.isClosed()).toBe(true)
  await desktop.quit()
})

test('a picture of the screen is given to our own page after a key or a click, and to nothing else', async () => {
  test.skip(isRealElectron, 'a real Electron does not give back the handlers of its session')
  const computer = await makeComputer()
  const desktop = await computer.start()
  await desktop.mainPage()
  const given = await desktop.evaluate(async ({ standIn }) => {
    const handler = standIn.handlers.displayMedia as (request: object, response: (streams: unknown) => void) => void
    const ask = (request: object) => new Promise((resolve) => handler(request, resolve))
    const ours = { url: 'app://outlay/quick-capture', parent: null }
    const wanted = { frame: ours, videoRequested: true, audioRequested: false, userGesture: true }
    return Promise.all([
      ask(wanted),
      ask({ ...wanted, userGesture: false }),
      ask({ ...wanted, audioRequested: true }),
      ask({ ...wanted, frame: null }),
      ask({ ...wanted, frame: { ...ours, parent: ours } }),
      ask({ ...wanted, frame: { url: 'https://example.org/', parent: null } }),
    ])
  })
  expect(given).toEqual([{ video: expect.objectContaining({ id: 'screen:1:0' }) }, null, null, null, null, null])
  await desktop.quit()
})

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

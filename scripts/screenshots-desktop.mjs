// The desktop on the stand-in, windows as pictures and menus as text: `npm exec -- node scripts/screenshots-desktop.mjs DEMO-FOLDER`.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '#test/desktop/support/launch'
import { pictures, takePicture } from './picture.mjs'

const top = mkdtempSync(join(tmpdir(), 'outlay-pictures-'))
const [demo] = process.argv.slice(2)
const menus = []
for (const [language, locale] of [
  ['en', 'en-GB'],
  ['pt', 'pt-BR'],
]) {
  const data = join(top, language)
  cpSync(demo, data, { recursive: true })
  const desktop = await launch({
    folder: join(top, `shell-${language}`),
    env: { OUTLAY_DATA: data, OUTLAY_LOG: 'warn', STAND_IN_LOCALE: locale },
  })
  const page = await desktop.mainPage()
  await page.getByRole('row').nth(2).waitFor()
  await page.evaluate((code) => {
    const known = JSON.parse(localStorage.getItem('outlay.preferences') ?? '{}')
    localStorage.setItem('outlay.preferences', JSON.stringify({ ...known, state: { ...known.state, language: code } }))
  }, language)
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const [name, path] of [
      ['desktop', '/review'],
      ['desktop-settings', '/settings/computer'],
    ]) {
      await page.evaluate((to) => (location.href = to), path)
      await page.waitForTimeout(1500)
      await takePicture(page, `${name}-${scheme}-${language}`)
    }
  }
  await page.evaluate(() => (location.href = '/review'))
  await page.waitForTimeout(1500)
  menus.push(`# ${language}`, '', ...(await desktop.evaluate(menuLines)), '')
  await desktop.quit()
}
writeFileSync(join(pictures, 'desktop-menus.txt'), `${menus.join('\n').trim()}\n`)
rmSync(top, { recursive: true, force: true })
process.exit(0)

// Runs in the main process.
function menuLines({ Menu, standIn }) {
  const lines = (items, depth) =>
    items.flatMap(({ label, type, accelerator, submenu }) => [
      `${'  '.repeat(depth)}${type === 'separator' ? '──' : label}${accelerator ? `  ${accelerator}` : ''}`,
      ...(submenu ? lines(submenu.items, depth + 1) : []),
    ])
  const tray = standIn.trays.at(-1)
  return [...lines(Menu.getApplicationMenu().items, 0), '', `Tray: ${tray.toolTip}`, ...lines(tray.menu.items, 1)]
}

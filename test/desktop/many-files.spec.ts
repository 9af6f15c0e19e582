import { expect } from '@playwright/test'
import { openCapture, uniqueInvoice } from '#test/desktop/support/capturing'
import { makeComputer, test } from '#test/desktop/support/folder'
import { hand } from '#test/e2e/support/hand'
import { inForm } from '#test/support/form'

const count = inForm(40, 200)

/** A page that measures: moments and durations in milliseconds. */
type Measuring = Window & typeof globalThis & { figures: { dropped: number; saved: number; pictured: number; keys: number[] } }

test(`${count} files dropped at once are saved and listed while an expense is typed`, async () => {
  const computer = await makeComputer()
  const desktop = await computer.start()
  const page = await desktop.mainPage()
  await openCapture(page)
  // Heard in the page itself: a driver on a busy machine would measure itself.
  await page.evaluate((all) => {
    const figures = { dropped: 0, saved: 0, pictured: 0, keys: [] as number[] }
    Object.assign(window, { figures })
    addEventListener('drop', () => (figures.dropped = performance.now()), { capture: true })
    addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => figures.keys.push(performance.now() - timeStamp))),
      { capture: true },
    )
    const look = () => {
      const title = document.querySelector('#inbox-title')?.textContent ?? ''
      if (figures.saved === 0 && title.includes(`(${all})`)) figures.saved = performance.now()
      const pictures = [...document.querySelectorAll<HTMLImageElement>('[data-inbox] [role=row] img')]
      if (figures.saved > 0 && pictures.length > 4 && pictures.slice(0, 5).every(({ naturalWidth }) => naturalWidth > 0))
        figures.pictured = performance.now()
      else setTimeout(look, 10)
    }
    look()
  }, count)
  const files = Array.from({ length: count }, (_, index) => uniqueInvoice(`invoice-${index}.pdf`, 40_000))
  await page.getByRole('textbox', { name: 'Description' }).focus()
  await hand(page, 'drop', files, 'body')
  const text = 'Hotel, two nights, and the taxi to the airport'
  await page.keyboard.type(text, { delay: 40 })
  await expect(page.getByRole('heading', { name: `Inbox (${count})` })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue(text)
  await page.waitForFunction(() => (window as Measuring).figures.pictured > 0)
  const { dropped, saved, pictured, keys } = await page.evaluate(() => (window as Measuring).figures)
  const sorted = keys.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  console.log(
    `${count} files: listed as saved after ${(saved - dropped).toFixed(0)} ms, first previews after ${(pictured - dropped).toFixed(0)} ms; ${keys.length} keys typed meanwhile, from key to frame ${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(1)} ms (slowest)`,
  )
  const listed = await page.evaluate(async () => (await (await fetch('/api/v1/captures')).json()).count)
  expect(listed).toBe(count)
  await desktop.quit()
})

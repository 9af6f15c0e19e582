import { setTimeout as delay } from 'node:timers/promises'
import { uniqueInvoice } from '#test/desktop/support/capturing'
import type { DevToolsPage } from './devtools'
import { type DesktopFolders, startDesktop } from './desktop-start'

/** Keys typed into a new expense, by the clock of the page; milliseconds from a key to the frame that shows it. */
export interface Typing {
  readonly keys: number
  readonly median: number
  readonly p95: number
  readonly slowest: number
}

/** What many files dropped while an expense is typed come to; milliseconds from the drop. */
export interface TypingFigures {
  /** Typing with nothing else to do. */
  readonly alone: Typing
  readonly meanwhile: Typing
  readonly listed: number
  /** The first previews of the list are shown. */
  readonly pictured: number
}

const text = 'Hotel, two nights, and the taxi to the airport'
const betweenKeysMs = 40

/** Runs in the page: notes how long each key takes, and when the files are listed and shown. */
export const watch = `
  globalThis.typed = []
  globalThis.figures = {}
  addEventListener('keydown', ({ timeStamp }) =>
    requestAnimationFrame(() => setTimeout(() => typed.push(performance.now() - timeStamp))), { capture: true })
`

/** Runs in the page: readies files to be dropped. */
function ready(files: number): string {
  const invoices = Array.from({ length: files }, (_, index) => uniqueInvoice(`invoice-${index}.pdf`, 40_000))
  const given = invoices.map(({ name, type, bytes }) => ({ name, type, text: Buffer.from(bytes).toString('base64') }))
  return `{
    globalThis.transfer = new DataTransfer()
    for (const { name, type, text } of ${JSON.stringify(given)})
      transfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name, { type }))
  }`
}

/** Runs in the page: drops them, and notes when they are listed and shown. */
function drop(files: number): string {
  return `{
    const dropped = performance.now()
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    const look = () => {
      const since = performance.now() - dropped
      const pictures = [...document.querySelectorAll('[data-inbox] [role=row] img')].slice(0, 5)
      if (!figures.listed && document.querySelector('#inbox-title')?.textContent.includes('(${files})')) figures.listed = since
      if (figures.listed && pictures.length === 5 && pictures.every(({ naturalWidth }) => naturalWidth > 0)) figures.pictured = since
      else setTimeout(look, 10)
    }
    look()
  }`
}

/** Waits for a condition in the page. */
async function until(page: Pick<DevToolsPage, 'evaluate'>, condition: string): Promise<void> {
  while ((await page.evaluate(`Boolean(${condition})`)) !== true) await delay(50)
}

/** Types a description into the field that has the focus of a page with {@link watch}. */
export async function type(page: Pick<DevToolsPage, 'evaluate' | 'press'>): Promise<Typing> {
  await page.evaluate('typed.length = 0')
  for (const letter of text) {
    await page.press(letter)
    await delay(betweenKeysMs)
  }
  await until(page, `typed.length === ${text.length}`)
  const times: number[] = JSON.parse(String(await page.evaluate('JSON.stringify(typed)')))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { keys: sorted.length, median: at(0.5), p95: at(0.95), slowest: at(1) }
}

/** Drops files on the capture screen of a desktop and types an expense meanwhile; first it types one with nothing to do. */
export async function measureTyping(folders: DesktopFolders, files: number): Promise<TypingFigures> {
  const { page, stop } = await startDesktop(folders)
  try {
    await until(page, `document.querySelector('a[href="/capture"]')`)
    await page.evaluate(`document.querySelector('a[href="/capture"]').click()`)
    await until(page, `document.querySelector('[data-field=description]') && document.querySelector('#inbox-title')`)
    // What is asked for beside the first screen is not what is measured.
    await delay(1500)
    await page.evaluate(watch)
    await page.evaluate(ready(files))
    await page.evaluate(`document.querySelector('[data-field=description]').focus()`)
    const alone = await type(page)
    await page.evaluate(drop(files))
    const meanwhile = await type(page)
    await until(page, 'figures.pictured')
    const figures: Pick<TypingFigures, 'listed' | 'pictured'> = JSON.parse(String(await page.evaluate('JSON.stringify(figures)')))
    return { alone, meanwhile, ...figures }
  } finally {
    await stop()
  }
}

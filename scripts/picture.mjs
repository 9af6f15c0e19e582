import { join } from 'node:path'
import sharp from 'sharp'
import { root } from './setup.mjs'

/** Where the pictures of the documents are. */
export const pictures = join(root, 'docs', 'screenshots')

const loading = /^(Loading|Carregando|Cargando)$/

/** Saves what the page shows, once its lists and receipts are drawn. `name` is the file's, without its ending. */
export async function takePicture(page, name) {
  const waiting = page
    .getByRole('status')
    .filter({ hasText: loading })
    .or(page.getByRole('status', { name: loading }))
  await waiting.first().waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelector('canvas[role=img]:not([data-drawn])') === null)
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  // Few colours keep the repository small: a screen has few, and a receipt stays readable.
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .png({ palette: true, colours: 128 })
    .toFile(join(pictures, `${name}.png`))
}

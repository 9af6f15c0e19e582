import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { pdf } from '#test/files/samples'

/** A file that is captured: a PDF, so that it is kept as it came. */
export interface Droppable {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** An invoice like no other; `padding`: how many bytes of noise are in it. */
export function uniqueInvoice(name: string, padding = 0): Droppable {
  const noise = randomBytes(padding).toString('hex')
  return { name, type: 'application/pdf', bytes: pdf({ content: `% ${name} ${noise}\n0 0 1 rg 0 0 300 600 re f` }) }
}

/** Goes to the capture screen by its link, as a person does. */
export async function openCapture(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Capture' }).click()
  await page.getByRole('textbox', { name: 'Amount' }).waitFor()
}

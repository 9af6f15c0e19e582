import type { Page } from '@playwright/test'

/** A file as it is dropped or pasted. */
export interface Handed {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Hands files to a page as a drop or a paste does; onto its first form, or onto what `onto` selects, which may show only while files are dragged. */
export async function hand(page: Page, kind: 'drop' | 'paste', files: Handed | readonly Handed[], onto = 'form'): Promise<void> {
  const given = [files].flat().map(({ name, type, bytes }) => ({ name, type, text: Buffer.from(bytes).toString('base64') }))
  await page.evaluate(
    async ({ kind, given, onto }) => {
      const transfer = new DataTransfer()
      for (const { name, type, text } of given)
        transfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name, { type }))
      const options = { bubbles: true, cancelable: true }
      if (document.querySelector(onto) === null) {
        document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer, ...options }))
        while (document.querySelector(onto) === null) await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: transfer, ...options })
          : new ClipboardEvent('paste', { clipboardData: transfer, ...options })
      document.querySelector(onto)?.dispatchEvent(event)
    },
    { kind, given, onto },
  )
}

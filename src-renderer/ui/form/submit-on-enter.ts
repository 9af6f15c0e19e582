import type { KeyboardEvent } from 'react'

/** Enter saves in every field; in one of several lines Shift+Enter begins a new one. */
export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

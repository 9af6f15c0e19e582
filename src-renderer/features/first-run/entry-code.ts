const storageKey = 'outlay.entry-code'

/**
 * The one-time code in the page's address, taken out of it so that it is in no history; kept for this tab until it is used,
 * so that a reload loses nothing. Null when there is none.
 */
export function takeEntryCode(): string | null {
  const code = decodeURIComponent(location.hash.slice(1)).trim()
  if (code !== '') {
    sessionStorage.setItem(storageKey, code)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(storageKey)
}

/** Forgets the code once it has been used. */
export function dropEntryCode(): void {
  sessionStorage.removeItem(storageKey)
}

/** Whether the page is the desktop's own window, which needs no code. */
export function isDesktopWindow(): boolean {
  return !location.protocol.startsWith('http')
}

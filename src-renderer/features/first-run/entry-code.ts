import { desktop } from '../../api/desktop'

const entryCodeKey = 'outlay.entry-code'
const invitationKey = 'outlay.invitation'
const signInLinkKey = 'outlay.sign-in-link'

/**
 * The secret in the page's address, taken out of it so that it is in no history; kept for this tab until it is used, so that a
 * reload loses nothing. Null when there is none.
 */
function takeFromAddress(storageKey: string): string | null {
  const secret = decodeURIComponent(location.hash.slice(1)).trim()
  if (secret !== '') {
    sessionStorage.setItem(storageKey, secret)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(storageKey)
}

/** The one-time code that signs in, or makes the first organization. */
export function takeEntryCode(): string | null {
  return takeFromAddress(entryCodeKey)
}

/** Forgets the code once it has been used. */
export function dropEntryCode(): void {
  sessionStorage.removeItem(entryCodeKey)
}

/** The secret of an invitation. */
export function takeInvitationSecret(): string | null {
  return takeFromAddress(invitationKey)
}

/** Forgets the secret once it has been used, or is worth nothing. */
export function dropInvitationSecret(): void {
  sessionStorage.removeItem(invitationKey)
}

/** The secret of a link that signs in. What follows # at the address of another page, which may ask again who it is, is none. */
export function takeSignInSecret(): string | null {
  return location.pathname === '/sign-in' ? takeFromAddress(signInLinkKey) : null
}

/** Forgets the secret once it has been used, or is worth nothing. */
export function dropSignInSecret(): void {
  sessionStorage.removeItem(signInLinkKey)
}

/** Whether the page is the desktop's own window, which needs no code. */
export function isDesktopWindow(): boolean {
  return desktop !== undefined
}

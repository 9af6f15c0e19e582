const keyOf = (user_uid: string) => `outlay.shown-token.${user_uid}`

/** Notes on this device that a person is shown a token that cannot be shown again: until they go on, they may have nothing of it. */
export function noteShownToken(user_uid: string): void {
  localStorage.setItem(keyOf(user_uid), 'shown')
}

/** Notes that the person went on after they were shown a token. */
export function noteTokenKept(user_uid: string): void {
  localStorage.removeItem(keyOf(user_uid))
}

/** Whether a person was shown a token on this device and never went on, as after a reload. */
export function mayLackToken(user_uid: string): boolean {
  return localStorage.getItem(keyOf(user_uid)) !== null
}

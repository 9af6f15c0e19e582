/** How a browser session began: with an API token, a one-time code of the command line, at the first set-up, by an invitation, by e-mail, with a passkey or with a recovery code. */
export const doors = ['token', 'code', 'setup', 'invitation', 'email', 'passkey', 'recovery_code'] as const
/** How a browser session began. */
export type Door = (typeof doors)[number]

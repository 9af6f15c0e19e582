/**
 * How a browser session began: with an API token, a one-time code of the command line, at first setup, by an invitation, by e-mail, with a passkey,
 * with a recovery code or at an OpenID provider.
 */
export const doors = ['token', 'code', 'setup', 'invitation', 'email', 'passkey', 'recovery_code', 'openid'] as const
/** How a browser session began. */
export type Door = (typeof doors)[number]

/** The path to which an OpenID provider sends browsers back, at the public address. */
export const openIdReturnPath = '/sign-in/openid'

/** The query key of the user's preferences. */
export const preferencesKey = ['preferences'] as const

/** The query key of the user's tokens. */
export const apiTokensKey = ['api-tokens'] as const

/** The query key of the browsers in which the user is signed in. */
export const browserSessionsKey = ['browser-sessions'] as const

/** The query key of the user's passkeys. */
export const passkeysKey = ['passkeys'] as const

/** The query key of how many recovery codes the user has left. */
export const recoveryCodesKey = ['recovery-codes'] as const

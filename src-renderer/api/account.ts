/** The query key of the user's preferences. */
export const preferencesKey = ['preferences'] as const

/** The query key of the user's tokens. */
export const apiTokensKey = ['api-tokens'] as const

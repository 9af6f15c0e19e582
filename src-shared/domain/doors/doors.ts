/** How a browser session began: with an API token, a one-time code of the command line, at the first set-up, or by an invitation. */
export const doors = ['token', 'code', 'setup', 'invitation'] as const
/** How a browser session began. */
export type Door = (typeof doors)[number]

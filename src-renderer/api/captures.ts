/** Everything that is known of captures; the shell has it read anew when files come in from outside. */
export const captureKey = ['captures'] as const

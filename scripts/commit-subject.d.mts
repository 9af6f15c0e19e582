/** The longest subject, in characters. */
export const longestSubject: number
/** What is wrong with the subject of a commit, in a sentence; undefined if nothing is. */
export function subjectProblem(subject: string): string | undefined

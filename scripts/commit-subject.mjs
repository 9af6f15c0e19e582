// `node scripts/commit-subject.mjs FILE`: the `commit-msg` hook. Exits 1 if the subject of the message breaks a rule of CONTRIBUTING.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The longest subject, in characters. */
export const longestSubject = 72

/** First words that end like a past tense or a gerund and are imperatives. */
const imperatives = new Set(['bring', 'embed', 'exceed', 'feed', 'heed', 'need', 'proceed', 'seed', 'shed', 'speed', 'spring', 'string'])

/** What is wrong with the subject of a commit, in a sentence; undefined if nothing is. Git's own subjects (merges, fixups, reverts) pass. */
export function subjectProblem(subject) {
  if (/^(Merge|Revert|fixup!|squash!|amend!) /.test(subject)) return undefined
  const length = [...subject].length
  if (length > longestSubject) return `The subject has ${length} characters: ${longestSubject} at most.`
  if (subject.endsWith('.')) return 'The subject ends with a full stop: leave it out.'
  const [first = ''] = subject.split(' ')
  if (!/^\p{Lu}/u.test(first)) return 'The subject must begin with a capital letter.'
  if (/(ed|ing)$/.test(first) && !imperatives.has(first.toLowerCase()))
    return `Write the subject as an imperative: not "${first}", but what the commit does ("Refuse an approval above the claimed amount").`
  return undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [subject = ''] = readFileSync(process.argv[2], 'utf8').split('\n')
  const problem = subjectProblem(subject)
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n${subject}\n`)
    process.exitCode = 1
  }
}

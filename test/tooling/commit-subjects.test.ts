import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { longestSubject, subjectProblem } from '../../scripts/commit-subject.mjs'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'outlay-commit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The subjects of the last commits that the checkout has; none without git or without a history. */
function lastSubjects(): string[] {
  const { status, stdout } = spawnSync('git', ['log', '-n', '50', '--format=%s'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}
const subjects = lastSubjects()

test.skipIf(subjects.length === 0)('the last commits have subjects by the rules', () => {
  expect(subjects.map((subject) => [subject, subjectProblem(subject)]).filter(([, problem]) => problem !== undefined)).toEqual([])
})

test.each([
  ['x'.repeat(longestSubject + 1), /73 characters/],
  ['Fix the sum.', /full stop/],
  ['fix the sum', /capital/],
  ['Fixed the sum', /imperative/],
  ['Fixing the sum', /imperative/],
])('%s is no subject', (subject, problem) => {
  expect(subjectProblem(subject)).toMatch(problem)
})

test.each(['Refuse an approval above the claimed amount', 'Seed the bench once', 'Revert "fixed it."'])('%s is a subject', (subject) => {
  expect(subjectProblem(subject)).toBeUndefined()
})

test.each([
  ['Read amounts by one rule\n\nBecause there were two.\n', 0],
  ['Reading amounts by one rule\n', 1],
])('the hook accepts or rejects a message: %j', (message, status) => {
  const file = join(folder, 'message')
  writeFileSync(file, message)
  const hook = spawnSync(process.execPath, [join(root, 'scripts/commit-subject.mjs'), file], { encoding: 'utf8' })
  expect(hook.status).toBe(status)
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formNames } from '../../src-renderer/state/form-names'

const root = join(import.meta.dirname, '../../src-renderer')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') || path.endsWith('.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))

/** Forms that keep nothing, and why. A form that edits something is a `DraftForm`. */
const plainForms: Readonly<Record<string, string>> = {
  'ui/form/draft-form.tsx': 'the form that all others are',
  'features/capture/expense-form.tsx': 'its draft is kept beside its receipts',
  'features/expense/conflict-chooser.tsx': 'chooses inside the edit of an expense, which is kept',
  'features/first-run/choices.tsx': 'asks for nothing but the set-up code, a secret',
  'features/first-run/email-sign-in.tsx': 'asks for an address and for a code that is a secret, before anyone is signed in',
  'features/first-run/recovery-sign-in.tsx': 'asks for nothing but a recovery code, a secret',
  'features/first-run/token-sign-in.tsx': 'asks for nothing but a token, a secret',
  'features/import/how-read.tsx': 'nothing is typed: choices by which the file is read again',
  'features/settings/doors/passkeys-section.tsx': 'asks for nothing but a name, which it suggests',
  'features/settings/remote-secret.tsx': 'asks for nothing but a passphrase, a secret',
  'ui/form/connect-form.tsx': 'asks for a token, a secret, and the address beside it',
  'features/reimbursements/paid-filter-bar.tsx': 'a filter: the address of the page has it',
  'features/review/bulk/bulk-sheet.tsx': 'of a selection, which goes with the page',
  'features/statements/dismiss-sheet.tsx': 'one short text, stored at once',
  'features/statements/split-sheet.tsx': 'parts of one line, stored at once',
  'features/reports/rates-sheet.tsx': 'one rate: three short fields, stored at once',
  'records/filters/filter-editor.tsx': 'a filter: the address of the page has it',
  'records/filters/view-names.tsx': 'names for filters',
  'records/export/export-sheet.tsx': 'nothing is typed: a choice of format',
}

test('every form keeps what is typed, except those that say why not', () => {
  const plain = sources.filter(({ text }) => /<form[\s>]/.test(text)).map(({ path }) => path)
  expect(plain.toSorted()).toEqual(Object.keys(plainForms).toSorted())
})

test('every name of a form is one form’s', () => {
  const all = sources.filter(({ path }) => path !== 'state/form-names.ts').map(({ text }) => text)
  const unused = formNames.filter((name) => !all.some((text) => text.includes(`'${name}'`) || text.includes(`"${name}"`)))
  expect(unused).toEqual([])
})

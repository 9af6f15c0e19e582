import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { exponentOf } from '#shared/domain/currencies'
import { translate } from '#shared/i18n/translations'
import { fixtureFolder, readFixtureFile, statementFixtures } from '#test/support/statements/fixtures'

/** Decimals as the file's currency has them. */
const amountOf = (minor: number, currency: string) => fromMinor(minor, currency).toFixed(exponentOf(currency))

test.each(statementFixtures)('$file ($country): $oddity', async (fixture) => {
  const { lines, undecided, problems, left_out, accounts, notes, proof, encoding, mapping } = await readFixtureFile(fixture)
  const written = lines.map(({ day, amount_minor, currency, text }) => `${day} ${amountOf(amount_minor, currency)} ${text}`)
  const expected = fixture.lines.map((line) =>
    line.replace(/ (-?\d+(?:\.\d+)?) /, (_, amount: string) => ` ${Number(amount).toFixed(exponentOf(fixture.currency))} `),
  )
  expect({
    ...{ lines: written, undecided: undecided.map(({ column }) => column.toLowerCase().replace('date', 'day')), notes: notes.length },
    ...{
      problems: fixture.undecided ? [] : problems.map(({ line }) => String(line)),
      left_out: Object.fromEntries(left_out.map(({ reason, count }) => [reason, count])),
    },
  }).toEqual({
    lines: expected,
    undecided: fixture.undecided ?? [],
    notes: fixture.notes ?? 0,
    problems: fixture.problems ?? [],
    left_out: fixture.left_out ?? {},
  })
  if (fixture.columns) expect(mapping).toMatchObject(fixture.columns)
  if (fixture.kinds) expect(lines.map(({ line_kind }) => line_kind)).toEqual(fixture.kinds)
  if (fixture.encoding !== undefined) expect(encoding).toBe(fixture.encoding)
  if (fixture.account !== undefined) expect(accounts.find(({ is_taken }) => is_taken)?.account).toBe(fixture.account)
  if (fixture.lines.length === 0) return
  const { opening, closing, difference } = fixture
  expect(proof).toMatchObject({
    lines: expected.length,
    ...(opening !== undefined && { opening }),
    ...(closing !== undefined && { closing }),
    ...(difference !== undefined && { difference }),
    reason: fixture.reason === undefined ? null : translate('en', `import:reasons.proof_${fixture.reason}`, { line: proof?.line ?? 0 }),
  })
})

test('each file is in the index', () => {
  const files = readdirSync(fixtureFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.json')
    .map((entry) => `${basename(entry.parentPath)}/${entry.name}`)
  expect(statementFixtures.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

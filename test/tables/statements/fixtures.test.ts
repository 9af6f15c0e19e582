import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesSource } from '#main/tables/table-source'
import { readStatement } from '#main/use-cases/statements/read-statement'
import type { KeptAccount } from '#shared/domain/statements/accounts'
import type { KeptMappings } from '#shared/domain/statements/mapping'
import { fromMinor } from '#shared/domain/money'
import { exponentOf } from '#shared/domain/currencies'
import { translate } from '#shared/i18n/translations'

/** A file as a bank of a country gives it, and what must come of it. Absent values are not looked at. */
interface Fixture {
  readonly file: string
  readonly country: string
  readonly oddity: string
  readonly source: string
  readonly currency: string
  /** The last digits of the card's number, and what its earlier files have shown. */
  readonly card?: string
  readonly kept?: KeptMappings
  readonly accounts?: readonly KeptAccount[]
  /** The account that a person chooses. */
  readonly chosen?: string
  readonly lines: readonly string[]
  readonly kinds?: readonly string[]
  readonly encoding?: string
  readonly account?: string
  readonly opening?: number
  readonly closing?: number
  readonly difference?: number | null
  readonly reason?: string
  readonly left_out?: Readonly<Record<string, number>>
  readonly undecided?: readonly string[]
  readonly notes?: number
  /** The lines that cannot be read. */
  readonly problems?: readonly string[]
  readonly columns?: Readonly<Record<string, string>>
}

const folder = join(import.meta.dirname, '../../fixtures/statements')
const fixtures = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Fixture[]

function read({ file, currency, card = '0000', kept = {}, accounts = [], chosen }: Fixture) {
  const account = { last4: card, kept: accounts, hashOf: (key: string) => key, chosen }
  return readStatement(bytesSource(readFileSync(join(folder, file))), { mapping: {}, kept, currency, locale: 'en', account })
}

/** Decimals as the file's currency has them. */
const amountOf = (minor: number, currency: string) => fromMinor(minor, currency).toFixed(exponentOf(currency))

test.each(fixtures)('$file ($country): $oddity', (fixture) => {
  const { lines, undecided, problems, left_out, accounts, notes, proof, encoding, mapping } = read(fixture)
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
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.json')
    .map((entry) => `${basename(entry.parentPath)}/${entry.name}`)
  expect(fixtures.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

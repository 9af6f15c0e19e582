import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import publishedExpenses from '../../src-main/demo/published-expenses.json'
import { readImport } from '#test/tables/import-support'

test('the published expenses of the demo are those of the fixture', () => {
  const bytes = readFileSync(new URL('../../db/fixtures/senate-2022-sample.csv', import.meta.url))
  const { rows } = readImport(bytes)
  const plain = rows.map(({ receiver_name, tag_names, occurred_at, amount, description, external_id, supplier_name, supplier_tax_id }) => ({
    receiver_name,
    tag_names,
    occurred_at,
    amount: Number(amount),
    description,
    external_id,
    supplier_name,
    supplier_tax_id,
  }))
  const shown = publishedExpenses.map(({ line: _line, currency: _currency, ...rest }) => ({ ...rest, amount: Number(rest.amount) }))
  expect(shown).toEqual(plain)
})

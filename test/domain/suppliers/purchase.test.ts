import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headOf, purposeOf, titleOf } from '#shared/domain/suppliers/purchase'

const sol = { supplier_name: 'Sol Lda', supplier_tax_id: 'PT 501 442 600' }

test.each([
  ['Sol Lda (PT 501 442 600) · doc 7 · Lunch', 'doc 7 · Lunch'],
  ['SOL LDA – Lunch', 'Lunch'],
  ['PT 501 442 600: Lunch', 'Lunch'],
  ['Sol Lda - Lunch', 'Lunch'],
  ['Sol Lda', ''],
  ['Sol Lda (PT 501 442 600)', ''],
  // What a person wrote goes on with the name.
  ['Sol Ldaria', 'Sol Ldaria'],
  ['Sol Lda lunch', 'Sol Lda lunch'],
  ['Lunch at Sol Lda', 'Lunch at Sol Lda'],
  [null, ''],
])('%s was for: %s', (description, purpose) => {
  expect(purposeOf({ ...sol, description })).toBe(purpose)
  expect(titleOf({ ...sol, description })).toBe(purpose || 'Sol Lda')
})

test('what an import wrote before what an expense was for is taken away, whatever the texts are', () => {
  const text = fc
    .string({ minLength: 1, maxLength: 12, unit: 'binary' })
    .map((one) => one.trim())
    .filter((one) => one !== '')
  fc.assert(
    fc.property(text, text, text, (supplier_name, supplier_tax_id, purpose) => {
      const description = `${supplier_name} (${supplier_tax_id}) · ${purpose}`
      expect(purposeOf({ supplier_name, supplier_tax_id, description })).toBe(purpose)
    }),
  )
  expect(titleOf({ description: null })).toBeUndefined()
})

test('an expense is headed by its supplier, with its purpose after it, or by its purpose alone', () => {
  expect(headOf({ supplier_name: 'Kalunga', description: 'Kalunga: notebook stand' })).toEqual({
    title: 'Kalunga',
    purpose: 'notebook stand',
  })
  expect(headOf({ supplier_name: ' ', description: 'Notebook stand' })).toEqual({ title: 'Notebook stand', purpose: '' })
  expect(headOf({ supplier_name: null, description: '' })).toEqual({ title: undefined, purpose: '' })
})

import { expect, test } from 'vitest'
import { withSupplier } from '../../../src-renderer/features/capture/reading/values'
import { createDraft, type DraftForm } from '../../../src-renderer/state/draft'

const draftOf = (form: Partial<DraftForm>, read: Readonly<Record<string, string>> = {}) => {
  const draft = createDraft('user', { payer_id: 1, currency: 'BRL', tags: [], distance_kind: 'km' })
  return { ...draft, form: { ...draft.form, ...form }, read }
}
const known = { name: 'Kalunga', tags: ['Office'], currency: 'EUR', isRegistered: true }
const filled = (...draft: Parameters<typeof draftOf>) => withSupplier(draftOf(...draft), known, { isCurrencyRead: false })?.form

test('a known supplier fills its name, usual tag and usual currency', () => {
  expect(filled({})).toMatchObject({ supplier_name: 'Kalunga', tags: ['Office'], currency: 'EUR' })
  expect(withSupplier(draftOf({}), known, { isCurrencyRead: true })?.form.currency).toBe('BRL')
  expect(filled({ tags: ['Paper'] })).toMatchObject({ tags: ['Paper'] })
})

test('the register corrects the spelling of an invoice, and never what was typed or taken out', () => {
  expect(filled({ supplier_name: 'KALUNGA SA' }, { supplier_name: 'KALUNGA SA' })).toMatchObject({ supplier_name: 'Kalunga' })
  expect(filled({ supplier_name: 'Mine' }, { supplier_name: 'KALUNGA SA' })).toBeUndefined()
  expect(filled({ supplier_name: 'Mine' }, { supplier_name: '' })).toBeUndefined()
  expect(filled({ supplier_name: '' }, { supplier_name: 'KALUNGA SA' })).toBeUndefined()
  expect(filled({ amount: '5,00' }, { amount: '' })).toMatchObject({ currency: 'BRL' })
})

test('an earlier expense names a supplier where nothing else does', () => {
  const earlier = { ...known, isRegistered: false, currency: null }
  expect(
    withSupplier(draftOf({ supplier_name: 'KALUNGA SA' }, { supplier_name: 'KALUNGA SA' }), earlier, { isCurrencyRead: false }),
  ).toBeUndefined()
  expect(withSupplier(draftOf({}), earlier, { isCurrencyRead: false })?.form).toMatchObject({ supplier_name: 'Kalunga', currency: 'BRL' })
})

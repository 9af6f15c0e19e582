import { describe, expect, test } from 'vitest'
import { writeAmount } from '#shared/domain/amount-text'
import { changedValues, readSettlement, toSettlementForm, type SettlementWriting } from '../../src-renderer/state/settlement-form'

const en: SettlementWriting = { language: 'en', timezone: 'America/Sao_Paulo', today: '2026-01-10' }
const pt: SettlementWriting = { ...en, language: 'pt' }
const stored = { receiver: { id: 7 }, amount: 1234.5, currency: 'BRL', date: '2026-01-04T00:00:00Z', description: null, tags: ['Travel'] }

describe('writing a settlement', () => {
  test('an untouched form equals the stored values, in either language, and changes nothing', () => {
    for (const writing of [en, pt]) {
      const form = toSettlementForm(stored, writing)
      const read = readSettlement(form, writing)
      expect(read).toEqual({
        kind: 'ok',
        values: {
          receiver: { id: 7, type: 'User' },
          amount: 1234.5,
          currency: 'BRL',
          date: '2026-01-04',
          description: null,
          tags: ['Travel'],
        },
      })
      if (read.kind === 'ok') expect(changedValues(form, form, read.values)).toEqual({})
    }
  })

  test('only what changed is sent; an amount with its currency', () => {
    const before = toSettlementForm(stored, en)
    const after = { ...before, amount: '99,90', description: ' Hotel ' }
    const read = readSettlement(after, en)
    if (read.kind !== 'ok') throw new Error('The form means something.')
    expect(changedValues(before, after, read.values)).toEqual({ amount: 99.9, currency: 'BRL', description: 'Hotel' })
  })

  test('missing and unreadable values are reported at their fields', () => {
    const form = { receiver_id: null, amount: '1.5', currency: 'JPY', date: '31/2', description: '', tags: [] }
    expect(readSettlement(form, en)).toEqual({
      kind: 'invalid',
      problems: { receiver_id: 'blank', amount: 'too_precise', date: 'not_a_date' },
    })
    expect(readSettlement({ ...form, amount: '', date: '' }, en)).toMatchObject({ problems: { amount: 'blank', date: 'blank' } })
  })

  test('an amount is written with exactly the decimals of its currency', () => {
    expect(writeAmount(12.5, { currency: 'BRL', language: 'pt' })).toBe('12,50')
    expect(writeAmount(1200, { currency: 'JPY', language: 'en' })).toBe('1200')
    expect(writeAmount(1.5, { currency: 'KWD', language: 'en' })).toBe('1.500')
  })
})

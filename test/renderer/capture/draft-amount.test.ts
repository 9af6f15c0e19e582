import { createElement } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { DraftAmount } from '#renderer/records/expense/draft-amount'
import { createDraft, type DraftForm } from '../../../src-renderer/state/draft'
import { draw, readWords } from '../read-hook'

beforeAll(readWords)

test.each<[Partial<DraftForm>, string]>([
  [{ amount: '7' }, 'BRL 7.00'],
  [{ amount: '1.234,5' }, 'BRL 1,234.50'],
  [{ amount: '7', currency: 'JPY' }, 'JPY 7'],
  [{ amount: '' }, 'No amount yet'],
  [{ amount: 'seven' }, 'No amount yet'],
  [{ kind: 'distance', distance: ' 12,5 ' }, '12,5 km'],
  [{ kind: 'distance', distance: ' ' }, 'No distance yet'],
])('a list of drafts shows %o as %s', (typed, shown) => {
  const { form } = createDraft('user', { payer_id: 1, currency: 'BRL', tags: [], distance_kind: 'km' })
  expect(draw(createElement(DraftAmount, { form: { ...form, ...typed } }))).toBe(shown)
})

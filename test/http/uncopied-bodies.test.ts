import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withAbsoluteLinks } from '#shared/contract/absolute-links'

const base = 'https://outlay.example/api/v1'
const { body: anyBody } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, true, '/expenses/1'),
    fc.array(tie('body'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('payer', 'logo', 'href', 'name'), tie('body'), { maxKeys: 4 }),
  ),
}))

test('a body without links is returned as it is, its lists too', () => {
  fc.assert(fc.property(anyBody, (body) => void expect(withAbsoluteLinks(body, base)).toBe(body)))
})

test('of a body with links, only what holds them is copied', () => {
  const body = { payer: { logo: [] }, expenses: [{ tags: [], _links: [{ rel: 'self', href: '/expenses/1' }] }, { _links: [] }] }
  const shown = withAbsoluteLinks(body, base)
  expect(shown).toEqual({
    payer: { logo: [] },
    expenses: [{ tags: [], _links: [{ rel: 'self', href: `${base}/expenses/1` }] }, { _links: [] }],
  })
  expect(shown).toMatchObject({ payer: expect.toSatisfy((payer) => payer === body.payer) })
  expect(body.expenses[0]?._links).toEqual([{ rel: 'self', href: '/expenses/1' }])
})

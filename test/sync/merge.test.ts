import { expect, test } from 'vitest'
import { differencesSince, mergeAttributes } from '#shared/sync/merge'

const payer = (id: number, host: string) => ({
  id,
  type: 'Organization',
  name: `Organization ${id}`,
  logo: [{ style: 'thumb', url: `https://${host}/files/x?expires=${host.length}` }],
})

test('the address of a picture, which ends and differs between a replica and its remote, is no difference', () => {
  const [here, there] = [payer(1, 'replica'), payer(1, 'the-remote')]
  expect(differencesSince({ payer: here }, { payer: there })).toEqual([])
  expect(differencesSince({ payer: here }, { payer: payer(2, 'replica') })).toHaveLength(1)
  const edit = { base: { payer: here }, mine: { payer: payer(2, 'replica') } }
  expect(mergeAttributes(edit, { payer: there })).toMatchObject({ kind: 'write', attributes: ['payer'] })
  expect(mergeAttributes(edit, { payer: payer(3, 'the-remote') })).toMatchObject({ kind: 'conflict' })
})

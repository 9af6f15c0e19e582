import { expect, test } from 'vitest'
import { parseAddresses } from '../../../src-renderer/features/team/addresses'

test('addresses are read however they were pasted, each once', () => {
  const text = 'ana@example.org, Bruno Lima <bruno@example.org>;\n"Souza, Carla" <carla@example.org>\r\nana@EXAMPLE.org d@x.org e@x.org'
  expect(parseAddresses(text)).toEqual({
    valid: ['ana@EXAMPLE.org', 'bruno@example.org', 'carla@example.org', 'd@x.org', 'e@x.org'],
    invalid: [],
  })
})

test('what is no address is kept as it was written', () => {
  expect(parseAddresses('ana@, Bruno Lima, nobody@nowhere, , fine@example.org')).toEqual({
    valid: ['fine@example.org'],
    invalid: ['ana@', 'Bruno Lima', 'nobody@nowhere'],
  })
  expect(parseAddresses(' \n , ')).toEqual({ valid: [], invalid: [] })
})

import { describe, expect, test } from 'vitest'
import { type AccountEvidence, type CardOfFiles, type NamedAccount, cardOfAccount, chooseAccount } from '#shared/domain/statements/accounts'

const account = (key: string, other: Partial<NamedAccount> = {}): NamedAccount => ({
  key,
  digits: key.slice(-4),
  isMasked: false,
  kind: null,
  ...other,
})
const known = (other: Partial<AccountEvidence> = {}): AccountEvidence => ({
  last4: '0000',
  kept: [],
  hashOf: (key) => `hash of ${key}`,
  ...other,
})
const [first, second, card] = [account('DE001111'), account('DE002222'), account('5555000033334444', { kind: 'card' })]

describe("the account of a file that is the card's", () => {
  test.each([
    ['nothing, where the file names none', [], known(), undefined],
    ['the only one, for a card without earlier files', [first], known(), { kind: 'taken', key: 'DE001111' }],
    [
      'the one whose hash is kept',
      [first, second],
      known({ kept: [{ digits: '2222', hash: 'hash of DE002222' }] }),
      { kind: 'taken', key: 'DE002222' },
    ],
    [
      'the one with the kept digits, where digits were hidden',
      [first, second],
      known({ kept: [{ digits: '1111', hash: null }] }),
      { kind: 'taken', key: 'DE001111' },
    ],
    ['the one with the digits of the card', [first, second], known({ last4: '2222' }), { kind: 'taken', key: 'DE002222' }],
    ['the only card', [first, card], known(), { kind: 'taken', key: '5555000033334444' }],
    ['the chosen one', [first, second], known({ chosen: '1111' }), { kind: 'taken', key: 'DE001111' }],
    ['a question, where it is a current account', [account('1111', { kind: 'bank' })], known(), { kind: 'ask', of: 'bank' }],
    [
      'a current account that earlier files were of',
      [account('1111', { kind: 'bank' })],
      known({ kept: [{ digits: '1111', hash: 'hash of 1111' }] }),
      { kind: 'taken', key: '1111' },
    ],
    [
      'the second of two with equal last digits',
      [account('DE1111'), account('FR1111')],
      known({ chosen: '1111 (2)' }),
      { kind: 'taken', key: 'FR1111' },
    ],
    ['a question, where two are possible', [first, second], known(), { kind: 'ask', of: 'several' }],
    ['a question, where the chosen digits are of neither', [first, second], known({ chosen: '9999' }), { kind: 'ask', of: 'several' }],
    [
      'a question, where earlier files were of another',
      [first],
      known({ kept: [{ digits: '2222', hash: 'x' }] }),
      { kind: 'ask', of: 'other' },
    ],
    ['a question, where the number is of another card', [account('4111111111111111')], known(), { kind: 'ask', of: 'other' }],
    [
      'a question, where the shown digits are of another card',
      [account('1234', { isMasked: true })],
      known(),
      { kind: 'ask', of: 'other' },
    ],
  ] as const)('is %s', (_, accounts, evidence, expected) => {
    expect(chooseAccount(accounts, evidence)).toEqual(expected)
  })
})

describe('the card of an account in a file', () => {
  const hashOf = (key: string) => `hash of ${key}`
  const cards: CardOfFiles[] = [
    { card_id: 1, last4: '7777', kept: [{ digits: '1111', hash: hashOf('DE001111') }] },
    { card_id: 2, last4: '4444', kept: [{ digits: '1111', hash: hashOf('DE991111') }] },
    { card_id: 3, last4: '9999', kept: [{ digits: '2222', hash: null }] },
    { card_id: 4, last4: '9999', kept: [] },
  ]
  test.each([
    ['is the one that had files of it', first, 1],
    ['is the one that had files with its digits, where these were hidden', second, 3],
    ['is the one whose number ends so', card, 2],
    ['is open where two had files with its digits', account('XXXX1111', { isMasked: true }), null],
    ['is open where two numbers end so', account('9999'), null],
    ['is open where no card is known for it', account('DE003333'), null],
  ])('%s', (_, one, expected) => {
    expect(cardOfAccount(one, cards, hashOf)).toBe(expected)
  })
})

/** The flags of cards by the contract's names (2.8), with their pictures' names. */
export const cardFlags = {
  Visa: 'visa',
  Mastercard: 'mastercard',
  'American Express': 'american-express',
  Elo: 'elo',
  Hipercard: 'hipercard',
  'Diners Club': 'diners-club',
  Discover: 'discover',
  JCB: 'jcb',
  Other: 'other',
} as const

/** A card's flag; `Other` for an unknown number. */
export type CardFlag = keyof typeof cardFlags

type Range = readonly [first: number, last: number]

/**
 * The first six digits of each flag's numbers. The ranges of Elo and Hipercard are inside others', so they come first: the first matching range
 * decides.
 */
const ranges: ReadonlyArray<readonly [flag: CardFlag, prefixes: readonly Range[]]> = [
  [
    'Elo',
    [
      [401178, 401179],
      [431274, 431274],
      [438935, 438935],
      [451416, 451416],
      [457393, 457393],
      [457631, 457632],
      [504175, 504175],
      [506699, 506778],
      [509000, 509999],
      [627780, 627780],
      [636297, 636297],
      [636368, 636368],
      [650031, 650033],
      [650035, 650051],
      [650405, 650439],
      [650485, 650538],
      [650541, 650598],
      [650700, 650718],
      [650720, 650727],
      [650901, 650978],
      [651652, 651679],
      [655000, 655019],
      [655021, 655058],
    ],
  ],
  [
    'Hipercard',
    [
      [384100, 384100],
      [384140, 384140],
      [384160, 384160],
      [606282, 606282],
      [637095, 637095],
      [637568, 637568],
      [637599, 637599],
      [637609, 637609],
      [637612, 637612],
    ],
  ],
  [
    'American Express',
    [
      [340000, 349999],
      [370000, 379999],
    ],
  ],
  [
    'Diners Club',
    [
      [300000, 305999],
      [309500, 309599],
      [360000, 369999],
      [380000, 399999],
    ],
  ],
  ['JCB', [[352800, 358999]]],
  [
    'Mastercard',
    [
      [222100, 272099],
      [510000, 559999],
    ],
  ],
  [
    'Discover',
    [
      [601100, 601199],
      [622126, 622925],
      [644000, 659999],
    ],
  ],
  ['Visa', [[400000, 499999]]],
]

/** The flag of a card, by its number's first digits. */
export function detectCardFlag(number: string): CardFlag {
  const prefix = Number(number.slice(0, 6))
  return ranges.find(([, prefixes]) => prefixes.some(([first, last]) => prefix >= first && prefix <= last))?.[0] ?? 'Other'
}

/** The path of a flag's picture, below the web application's address. */
export function cardFlagImagePath(name: string): string {
  const known: ReadonlyMap<string, string> = new Map(Object.entries(cardFlags))
  return `/assets/card-flags/${known.get(name) ?? cardFlags.Other}.svg`
}

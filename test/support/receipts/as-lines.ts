import type { TextLine } from '#shared/readings/text-line'
import type { Dice, PrintedRow, Receipt } from '#test/support/receipts/receipt'

/** What engines take for what. */
const confusions: Readonly<Record<string, string>> = {
  '0': 'O8',
  O: '0',
  '1': 'l7',
  I: 'l',
  '5': 'S6',
  '8': '3069',
  '3': '8',
  '6': '805',
  '9': '08',
  '7': '1',
  '4': '1',
  '2': '7',
  ':': '.',
  '.': ',:',
  B: '8',
  l: '1',
  e: 'c',
  m: 'n',
  M: 'NH',
  t: 'l',
  T: 'I',
  o: 'a',
  a: 'o',
  u: 'o',
  n: 'u',
  c: 'e',
  d: 'o',
  s: 'z',
  G: 'C6',
  S: '5',
}

/** A receipt as an engine reads its picture: lost spaces, wrong signs, columns as pieces. `noise`: how often a sign is wrong, 0 to 1. */
export function asLines({ rows, columns }: Receipt, dice: Dice, noise: number): TextLine[] {
  const height = rows.reduce((sum, { size }) => sum + size, 0)
  let y = 0
  return rows.flatMap((row) => {
    const top = y
    y += row.size
    return toPieces(row, columns).map(({ text, from, to }) => {
      const isSpaceless = dice.chance(0.35)
      const smudged = dice.chance(0.2) ? 0.25 : 0.02
      const bare = (isSpaceless ? text.replaceAll(/(?<![\d:]) (?!\d)/g, '') : text).normalize('NFD').replaceAll(/\p{M}/gu, '')
      const signs = [...bare].flatMap((sign) =>
        [...blur(sign, dice, noise)].map((read) => ({ read, sure: surenessOf({ isRight: read === sign, smudged }, dice) })),
      )
      const seen = signs.map(({ read }) => read).join('')
      const level = {
        x: from / columns,
        y: (top + (dice.next() - 0.5) * 0.2) / height,
        width: (to - from) / columns,
        height: (row.size * 0.9) / height,
      }
      const starts = [...seen].map((_, at) => at / seen.length)
      return {
        text: seen,
        confidence: 0.9 + dice.next() * 0.1,
        starts,
        sure: signs.map(({ sure }) => sure),
        place: { page: 0, ...level },
        level,
      }
    })
  })
}

/** Engines are less sure of what they misread, mostly. `smudged`: how often they are not sure of what they read right. */
function surenessOf({ isRight, smudged }: { isRight: boolean; smudged: number }, dice: Dice): number {
  if (isRight) return !dice.chance(smudged) ? 0.95 + dice.next() * 0.05 : 0.5 + dice.next() * 0.45
  return dice.chance(0.2) ? 0.9 + dice.next() * 0.1 : 0.3 + dice.next() * 0.6
}

function blur(sign: string, dice: Dice, noise: number): string {
  if (!dice.chance(noise)) return sign
  const others = confusions[sign]
  return dice.chance(0.3) ? '' : others === undefined ? sign : dice.one([...others])
}

/** The pieces that a row is found as: columns apart by some spaces are pieces of their own. */
export function toPieces({ cells, size }: PrintedRow, columns: number): Array<{ text: string; from: number; to: number }> {
  const placed = cells
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, at, align }) => {
      const bare = text.trim()
      const indent = text.length - text.trimStart().length
      const width = bare.length * size
      const from = align === 'right' ? at - width : align === 'centre' ? at - width / 2 : at + indent
      return { text: bare, from: Math.max(0, from), to: Math.min(columns, Math.max(0, from) + width) }
    })
  const pieces: typeof placed = []
  for (const piece of placed) {
    const last = pieces.at(-1)
    if (last && piece.from - last.to < 2) pieces.splice(-1, 1, { text: `${last.text} ${piece.text}`, from: last.from, to: piece.to })
    else pieces.push(piece)
  }
  return pieces
}

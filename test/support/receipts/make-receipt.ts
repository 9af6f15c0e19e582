import { makeBrazilian } from '#test/support/receipts/make-brazilian'
import { makeEnglish } from '#test/support/receipts/make-english'
import { makePortuguese } from '#test/support/receipts/make-portuguese'
import { Dice, type Receipt } from '#test/support/receipts/receipt'

export type ReceiptKind = 'brazilian' | 'portuguese' | 'english'

/** A receipt of a kind; the same for the same seed. */
export function makeReceipt(kind: ReceiptKind, seed: number): Receipt {
  const dice = new Dice(seed * 7 + kind.length)
  return { brazilian: makeBrazilian, portuguese: makePortuguese, english: makeEnglish }[kind](dice)
}

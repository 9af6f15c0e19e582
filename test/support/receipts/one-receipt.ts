import { inForm } from '#test/support/form'
import { anyDay, anyTime, print, printDay } from '#test/support/receipts/common'
import { anyCnpj, makeBrazilian, pointed } from '#test/support/receipts/make-brazilian'
import { Dice, Paper, type Receipt } from '#test/support/receipts/receipt'

/**
 * A receipt for a test of what becomes of readings: a slip of five lines, which is read in a fifth of the time, and a whole Brazilian receipt in the
 * long form. How well receipts of all kinds are read is measured by `npm run bench`.
 */
export function oneReceipt(seed: number): Receipt {
  return inForm(makeSlip, makeBrazilian)(new Dice(seed * 7))
}

function makeSlip(dice: Dice): Receipt {
  const paper = new Paper(34)
  const supplier_name = 'PADARIA BELA VISTA LTDA'
  const [cnpj, date, total, document] = [anyCnpj(dice), anyDay(dice), dice.whole(1_000, 9_999), dice.digits(6)]
  paper.centre(supplier_name)
  paper.centre(`CNPJ: ${pointed(cnpj)}`)
  paper.left(`Data: ${printDay(date, 'slash')} ${anyTime(dice, { isHalf: false })}`)
  paper.pair('VALOR TOTAL R$', print(total, ','), { size: 1.3 })
  paper.pair('PIX', print(total, ','))
  paper.left(`COO:${document}`)
  const truth = { date, total, currency: 'BRL', supplier_name, supplier_tax_id: cnpj, document_number: document }
  return { rows: paper.rows, columns: paper.columns, truth }
}

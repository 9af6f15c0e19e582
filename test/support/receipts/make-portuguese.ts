import { anyDay, anyTime, buy, print, printDay, sumOf } from '#test/support/receipts/common'
import { type Dice, Paper, type Receipt } from '#test/support/receipts/receipt'
import { portuguese } from '#test/support/receipts/words'

/** A NIF with its check digit. */
export function anyNif(dice: Dice, first = '5'): string {
  const start = first + dice.digits(7)
  const rest = [...start].reduce((sum, digit, at) => sum + Number(digit) * (9 - at), 0) % 11
  return start + String(rest < 2 ? 0 : 11 - rest)
}

/** A Portuguese simplified invoice. */
export function makePortuguese(dice: Dice): Receipt {
  const paper = new Paper(dice.whole(34, 46))
  const supplier_name = [dice.one(portuguese.names), dice.one(portuguese.trades), dice.one(portuguese.ends)].join(' ')
  const nif = anyNif(dice)
  const day = anyDay(dice)
  const document = `${dice.one(['FS', 'FT', 'FR'])} ${dice.one(['A', 'B', '1', '2026'])}/${dice.whole(1, 99_999)}`
  header(paper, dice, { supplier_name, nif })
  if (dice.chance(0.8)) paper.left(`${dice.one(['Fatura Simplificada', 'Fatura-Recibo', 'Factura Simplificada'])} ${document}`)
  else paper.left(`Doc: ${document}`)
  const printed = printDay(day, dice.one(['dash', 'slash', 'iso', 'iso']))
  paper.left(`${dice.one(['Data: ', '', 'Data de emissão: ', 'Lisboa, '])}${printed} ${anyTime(dice, { isHalf: false })}`)
  if (dice.chance(0.6)) paper.left(dice.chance(0.5) ? 'NIF: Consumidor Final' : `NIF Cliente: ${anyNif(dice, '2')}`)
  const total = amounts(paper, dice)
  if (dice.chance(0.6)) paper.centre(`ATCUD:JF${dice.digits(6)}-${dice.digits(4)}`)
  paper.centre(`${dice.digits(2)}Xy-Processado por programa certificado ${dice.digits(4)}/AT`)
  const truth = { date: day, total, currency: 'EUR', supplier_name, supplier_tax_id: nif, document_number: document }
  return { rows: paper.rows, columns: paper.columns, truth }
}

function header(paper: Paper, dice: Dice, { supplier_name, nif }: { supplier_name: string; nif: string }): void {
  paper.centre(supplier_name, dice.chance(0.4) ? 1.3 : 1)
  paper.centre(dice.one(portuguese.streets))
  paper.centre(dice.one(portuguese.towns))
  paper.centre(`${dice.one(['NIF: ', 'Contribuinte Nº ', 'NIPC: ', 'NIF ', 'Contrib.: '])}${dice.chance(0.3) ? 'PT' : ''}${nif}`)
  if (dice.chance(0.5)) paper.centre(`Tel. 2${dice.digits(2)} ${dice.digits(3)} ${dice.digits(3)}`)
  if (dice.chance(0.4)) paper.centre(`Capital Social ${dice.whole(5, 50)}.000,00 EUR`)
  paper.gap()
}

function amounts(paper: Paper, dice: Dice): number {
  const decimal = dice.chance(0.85) ? ',' : '.'
  const p = (minor: number) => print(minor, decimal, dice.chance(0.85))
  const euro = (minor: number) => `${p(minor)}${dice.one(['', '€', ' €', ' EUR'])}`
  const bought = buy(dice, portuguese.items, 5)
  if (dice.chance(0.6))
    paper.cells([
      ['Qtd Descrição', 0],
      ['IVA', Math.round(paper.columns * 0.65)],
      ['Valor', paper.columns],
    ])
  for (const { name, quantity, price, sum } of bought) {
    paper.cells([
      [`${quantity} ${name}`, 0],
      [dice.one(['13%', '23%', '23']), Math.round(paper.columns * 0.7)],
      [p(sum), paper.columns],
    ])
    if (quantity > 1 && dice.chance(0.5)) paper.left(`  ${quantity} x ${p(price)}`)
  }
  const sum = sumOf(bought)
  const discount = dice.chance(0.12) ? Math.round(sum * 0.1) : 0
  const total = sum - discount
  const base = Math.round(total / 1.23)
  if (discount > 0 || dice.chance(0.2)) paper.pair(dice.one(['Subtotal', 'Total Bruto', 'Total Ilíquido']), euro(sum))
  if (discount > 0) paper.pair(dice.one(['Desconto', 'Total Desconto']), p(discount))
  paper.pair(dice.one(['TOTAL', 'Total', 'TOTAL A PAGAR', 'Total a Pagar', 'TOTAL EUR', 'Total €', 'Total (EUR)']), euro(total), {
    size: dice.chance(0.5) ? 1.5 : 1,
  })
  if (dice.chance(0.6)) paper.pair(dice.one(['Multibanco', 'Cartão', 'MB WAY', 'Cartão Débito']), euro(total))
  else {
    const given = Math.ceil((total + 1) / 500) * 500
    paper.pair(dice.one(['Entregue', 'Numerário', 'Dinheiro']), euro(given))
    paper.pair('Troco', euro(given - total))
  }
  if (dice.chance(0.7)) {
    const [second, third] = [Math.round(paper.columns * 0.55), Math.round(paper.columns * 0.78)]
    paper.cells([
      [dice.one(['Taxa', 'IVA%', 'Resumo IVA']), 0],
      [dice.one(['Base', 'Incidência']), second],
      ['IVA', third],
      ['Total', paper.columns],
    ])
    paper.cells([
      ['23%', 0],
      [p(base), second],
      [p(total - base), third],
      [p(total), paper.columns],
    ])
  }
  return total
}

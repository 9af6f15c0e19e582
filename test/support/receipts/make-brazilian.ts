import { checkDigitOf } from '#shared/domain/modulo-11'
import { anyDay, anyTime, buy, print, printDay, sumOf } from '#test/support/receipts/common'
import { type Dice, Paper, type Receipt } from '#test/support/receipts/receipt'
import { brazilian } from '#test/support/receipts/words'

/** A CNPJ with right check digits, without punctuation. */
export function anyCnpj(dice: Dice): string {
  const start = `${dice.digits(8)}0001`
  const first = start + checkDigitOf(start, { heaviest: 9 })
  return first + checkDigitOf(first, { heaviest: 9 })
}

function anyCpf(dice: Dice): string {
  const start = `1${dice.digits(8)}`
  const first = start + checkDigitOf(start, { heaviest: 11 })
  return first + checkDigitOf(first, { heaviest: 11 })
}

/** A CNPJ with its punctuation. */
export const pointed = (cnpj: string) => cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
const pointedCpf = (cpf: string) => cpf.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')

/** A Brazilian consumer's invoice, coupon or slip. */
export function makeBrazilian(dice: Dice): Receipt {
  const paper = new Paper(dice.whole(38, 48))
  const supplier_name = [dice.one(brazilian.names), dice.one(brazilian.trades), dice.one(brazilian.ends)].join(' ')
  const cnpj = anyCnpj(dice)
  const day = anyDay(dice)
  const document = dice.digits(6)
  const isBelow = dice.chance(0.65)
  header(paper, dice, { supplier_name, cnpj })
  const when = `${printDay(day, dice.one(['slash', 'slash', 'short']))} ${anyTime(dice, { isHalf: false })}`
  if (!isBelow) paper.left(`${dice.one(['Data: ', 'EMISSAO: ', '', 'Data/Hora: '])}${when}   COO:${document}`)
  const total = amounts(paper, dice)
  foot(paper, dice, { when, document, isBelow, day })
  const truth = { date: day, total, currency: 'BRL', supplier_name, supplier_tax_id: cnpj, document_number: document }
  return { rows: paper.rows, columns: paper.columns, truth }
}

function header(paper: Paper, dice: Dice, { supplier_name, cnpj }: { supplier_name: string; cnpj: string }): void {
  const number = `CNPJ${dice.one([': ', ' ', ':'])}${pointed(cnpj)}`
  if (dice.chance(0.3)) paper.centre(`${number} ${supplier_name}`)
  else {
    paper.centre(supplier_name, dice.chance(0.4) ? 1.3 : 1)
    paper.centre(dice.chance(0.6) ? number : `${number}  IE: ${dice.digits(9)}`)
  }
  paper.centre(dice.one(brazilian.streets))
  paper.centre(dice.one(brazilian.towns))
  if (dice.chance(0.5)) paper.centre(`Fone: (${dice.digits(2)}) ${dice.digits(4)}-${dice.digits(4)}`)
  paper.gap()
  paper.centre(dice.one(['Documento Auxiliar da Nota Fiscal de Consumidor', 'CUPOM FISCAL', 'DANFE NFC-e', 'EXTRATO CF-e SAT', 'RECIBO']))
}

function amounts(paper: Paper, dice: Dice): number {
  const p = (minor: number) => print(minor, ',', dice.chance(0.85))
  const bought = buy(dice, brazilian.items)
  paper.left(
    dice.one([
      'ITEM CODIGO DESCRICAO QTD UN VL UNIT VL TOTAL',
      'Codigo Descricao Qtde UN Vl Unit Vl Total',
      '# COD DESC QTD UN VL UN R$ VL ITEM R$',
    ]),
  )
  for (const [at, { name, quantity, price, sum }] of bought.entries()) {
    if (dice.chance(0.5)) {
      paper.left(`${String(at + 1).padStart(3, '0')} ${dice.digits(6)} ${name}`)
      paper.cells([
        [`   ${quantity},000 UN x ${p(price)}`, 0],
        [p(sum), paper.columns],
      ])
    } else
      paper.cells([
        [`${dice.digits(4)} ${name}`.slice(0, 24), 0],
        [`${quantity} UN ${p(price)}`, Math.round(paper.columns * 0.8)],
        [p(sum), paper.columns],
      ])
  }
  const sum = sumOf(bought)
  const discount = dice.chance(0.2) ? Math.round(sum * 0.05) : 0
  const total = sum - discount
  if (dice.chance(0.7)) paper.pair(dice.one(['QTD. TOTAL DE ITENS', 'Qtde. total de itens', 'TOTAL DE ITENS']), String(bought.length))
  const size = dice.chance(0.3) ? 1.4 : 1
  if (discount > 0) {
    paper.pair(dice.one(['VALOR TOTAL R$', 'Valor Total R$', 'SUBTOTAL R$']), p(sum))
    paper.pair(dice.one(['Desconto R$', 'DESCONTO']), dice.one([p(discount), `-${p(discount)}`]))
    paper.pair(dice.one(['VALOR A PAGAR R$', 'Valor a Pagar R$', 'TOTAL A PAGAR']), p(total), { size })
  } else
    paper.pair(
      dice.one(['VALOR TOTAL R$', 'TOTAL R$', 'Valor Total R$', 'VALOR A PAGAR R$', 'TOTAL', 'Total a pagar R$', 'TOTAL  R$']),
      p(total),
      { size },
    )
  if (dice.chance(0.6)) paper.pair('FORMA DE PAGAMENTO', dice.one(['VALOR PAGO', 'Valor Pago R$']))
  if (dice.chance(0.6)) paper.pair(dice.one(['Cartão de Crédito', 'CARTAO DEBITO', 'PIX', 'Cartao Credito']), p(total))
  else {
    const given = Math.ceil((total + 1) / 1000) * 1000
    paper.pair(dice.one(['DINHEIRO', 'Dinheiro', 'VALOR RECEBIDO']), p(given))
    paper.pair(dice.one(['TROCO', 'Troco R$']), p(given - total))
  }
  if (dice.chance(0.6))
    paper.left(
      `${dice.one(['Tributos Totais Incidentes R$', 'Trib aprox R$', 'Inf. dos Tributos: Federal R$'])} ${p(Math.round(total * 0.13))} (Lei 12.741/2012)`,
    )
  return total
}

function foot(
  paper: Paper,
  dice: Dice,
  { when, document, isBelow, day }: { when: string; document: string; isBelow: boolean; day: string },
): void {
  if (dice.chance(0.7)) {
    paper.centre('Consulte pela Chave de Acesso em')
    paper.centre('www.nfce.fazenda.gov.br/consulta')
    paper.centre(
      dice
        .digits(44)
        .replaceAll(/(.{4})/g, '$1 ')
        .slice(0, paper.columns),
    )
  }
  if (dice.chance(0.6))
    paper.centre(
      dice.chance(0.5)
        ? 'CONSUMIDOR NÃO IDENTIFICADO'
        : dice.chance(0.5)
          ? `CONSUMIDOR CPF: ${pointedCpf(anyCpf(dice))}`
          : `CONSUMIDOR CNPJ: ${pointed(anyCnpj(dice))}`,
    )
  if (isBelow) paper.centre(`${dice.one(['NFC-e nº ', 'NFC-e ', 'Extrato No. ', 'Numero '])}${document} Série 001 ${when}`)
  if (dice.chance(0.5)) paper.centre(`Protocolo de autorização: ${dice.digits(15)}`)
  if (dice.chance(0.5)) paper.centre(`Data de autorização ${printDay(day, 'slash')} ${anyTime(dice, { isHalf: false })}`)
}

import { wholeWordsOf, wordsOf } from '#shared/readings/receipt-words'
import { squeeze } from '#shared/readings/rows'

const english: Readonly<Record<string, RegExp>> = {
  grand:
    /grandtotal|total(?:geral|apagar|payable|due|todue|dafatura|fatura|documento|rounded|incl|inc[lo]?gst|inclusive|withgst|aftertax|aftergst|aftertax|afteradj)|valorapagar|valorpago|apagar|payable|amountdue|balancedue|amtdue|nett?otal|nett?total|nettamount|netamount|nett?amt|roundedtotal|roundd?total|totalround|totalamt|totalamount|totalsales(?!excl)|salesincl|totalpaid|amt(?:paid|due)|(?:amount|amt)inc[lo]|^(?:net)?due(?:rm|rs)?$/,
  total: /[tilf][ou][tilf]a[lij1]|tota$|jumlah|ttl|^tl(?:rm)?$/,
  wholeTotal: /^(?:\$|rm|r\$|rs|eur|€|£|total|bill|invoice|amount|sale|sales)*total(?:rm|r\$|rs|eur|€|£|\$|myr|usd|gbp)*$/,
  valueTotal: /valortotal|vltotal|totalr\$|valordosprodutos|valordosserv/,
  sub: /subtotal|subtot|sub$|excl|excgst|beforetax|beforegst|beforedisc|totalbruto|iliquido|taxable|baseimp|incidencia|nettax/,
  tax: /gst|tax|iva|vat|icms|tribut|impost|sst|service|servico|svc|iss|cofins|pis|federal|estadual|levy/,
  taxIncluded:
    /incl?(?:uding|usive|\.)?(?:of)?(?:gst|tax|vat|iva)|(?:gst|tax|vat|iva)incl|comiva|withgst|gst6?incl|ivaincl|inclusive|indus|inclo/,
  discount: /discount|desconto|saving|poupou|disc|rebate|voucher|descto|abatimento/,
  tender:
    /[cl]a[s5]h|^[pf]ay(?:rm)?$|dinheiro|tender|received|accepted|bayar|entregue|recebid|numerario|visa|master|card|cartao|credito|debito|multibanco|pix|paid|pagamento|payment|mbway|amex|maestro|elo/,
  change: /[cl][hrb]an[gd]e|troco|baki|cambio|balance(?!due)/,
  rounding: /r[ou]{1,2}nd|ro[uo]?[rn]d[il]n|arred|rndg/,
  quantity: /qty|quantity|items?count|itens|artigos|noof|qtd|points|pontos|totalitem|volumes|pcs/,
  supplies: /suppl|summary|resumo|analysis|amountgst|taxrate|rate|code/,
  unit: /unit|price|preco|vlunit|each|@|kg/,
  previous: /previous|saldo|limite|limit|deposit/,
  tip: /^tips?$/,
  prepaid: /^prepaid/,
}

/** What the words next to an amount mean. Words are compared without spaces, which engines lose. */
export const amountLabels: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(english).map(([name, { source }]) => {
    const others = name === 'wholeTotal' ? wholeWordsOf('total', 'grand') : wordsOf(name)
    return [name, new RegExp(others === undefined ? source : `${source}|${others}`, 'u')]
  }),
)

/** Words that engines misread, and how many letters may be wrong. Short words are in the patterns: too many others are similar. */
const misread: ReadonlyArray<readonly [word: string, wrong: number]> = [
  ['subtotal', 1],
  ['rounding', 2],
  ['rounded', 1],
  ['inclusive', 1],
  ['payable', 1],
  ['discount', 2],
  ['quantity', 2],
  ['summary', 2],
  ['amountdue', 1],
  ['amount', 1],
  ['tendered', 2],
  ['balance', 1],
  ['adjustment', 2],
  ['desconto', 1],
  ['dinheiro', 2],
  ['tributos', 1],
  ['trinkgeld', 2],
  ['pourboire', 2],
  ['borravalo', 2],
  ['drikkepenge', 2],
  ['gratuity', 1],
  ['propina', 1],
]

/** The words of a label without spaces, with misread ones repaired. */
export function labelOf(text: string): string {
  const label = squeeze(text)
  if (amountLabels.wholeTotal?.test(label) === true) return label
  return misread.reduce(
    (repaired, [word, wrong]) =>
      repaired.length < word.length - wrong || repaired.includes(word) ? repaired : repair(repaired, word, wrong),
    label,
  )
}

/** Replaces the part of a text that is most similar to a word with the word, if few letters are wrong, missing or extra. */
function repair(text: string, word: string, wrong: number): string {
  // How much the word differs from the text that ends here, and where that begins.
  let [costs, starts] = [Array.from({ length: word.length + 1 }, (_, at) => at), Array.from({ length: word.length + 1 }, () => 0)]
  let best = { cost: wrong + 1, from: 0, to: 0 }
  for (let to = 1; to <= text.length; to += 1) {
    const [now, from] = [[0], [to]]
    for (let at = 1; at <= word.length; at += 1) {
      const replaced = (costs[at - 1] ?? 0) + (text[to - 1] === word[at - 1] ? 0 : 1)
      const [dropped, added] = [(costs[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1]
      now[at] = Math.min(replaced, dropped, added)
      from[at] = (now[at] === replaced ? starts[at - 1] : now[at] === dropped ? starts[at] : from[at - 1]) ?? 0
    }
    ;[costs, starts] = [now, from]
    const cost = now[word.length] ?? best.cost
    if (cost < best.cost) best = { cost, from: from[word.length] ?? 0, to }
  }
  return best.cost > wrong ? text : text.slice(0, best.from) + word + text.slice(best.to)
}

import type { Features } from '#shared/readings/classify'
import { type Part, type TextRow, findParts, rightOf, squeeze } from '#shared/readings/rows'

/** An amount on a receipt, in hundredths of its currency, with all places where it stands. */
export interface AmountCandidate {
  readonly value: number
  readonly parts: readonly Part[]
  readonly features: Features
}

const currencySign = String.raw`(?:R\$|RS|RM|MYR|EUR|€|GBP|£|USD|US\$|\$)`
/** Engines take 0 for O, and shops leave it out. */
const noDigits = String.raw`(?<=${currencySign}\s?)O|(?<=(?:^|\s)-?)(?=\.\d\d(?!\d))`
const digits = String.raw`\d{1,3}(?:[.,' ]\d{3})+|\d+|${noDigits}`
const amountPattern = new RegExp(
  String.raw`(?<![\d/:.,-])(-?)\s?(${currencySign})?\s?(?:(${digits})\s?[.,:]\s?([\dOo]\s?[\dOo])(?![\d/:]|[.,]\d)|(?<=${currencySign}\s?)(\d{1,6})(?![\d.,]))\s?(%|-(?!\d)|${currencySign})?`,
  'gi',
)

/** What the words next to an amount say that it is. Words are squeezed: spaces are lost in pictures. */
const labels: Readonly<Record<string, RegExp>> = {
  grand: /grandtotal|total(?:geral|apagar|payable|due|todue|dafatura|fatura|documento|rounded|incl|inc[lo]?gst|inclusive|withgst|aftertax|aftergst|aftertax|afteradj)|valorapagar|valorpago|apagar|payable|amountdue|balancedue|amtdue|nett?otal|nett?total|nettamount|netamount|nett?amt|roundedtotal|roundd?total|totalround|totalamt|totalamount|totalsales(?!excl)|salesincl|totalpaid|amt(?:paid|due)|^(?:net)?due(?:rm|rs)?$/,
  total: /[tilf][ou][tilf]a[lij1]|tota$|jumlah|ttl/,
  wholeTotal: /^(?:\$|rm|r\$|rs|eur|€|£|total|bill|invoice|amount|sale|sales)*total(?:rm|r\$|rs|eur|€|£|\$|myr|usd|gbp)*$/,
  valueTotal: /valortotal|vltotal|totalr\$|valordosprodutos|valordosserv/,
  sub: /subtotal|subtot|sub$|excl|excgst|beforetax|beforegst|beforedisc|totalbruto|iliquido|taxable|baseimp|incidencia|nettax/,
  tax: /gst|tax|iva|vat|icms|tribut|impost|sst|service|servico|svc|iss|cofins|pis|federal|estadual|levy/,
  taxIncluded: /incl?(?:uding|usive|\.)?(?:of)?(?:gst|tax|vat|iva)|(?:gst|tax|vat|iva)incl|comiva|withgst|gst6?incl|ivaincl|inclusive/,
  discount: /discount|desconto|saving|poupou|disc|rebate|voucher|descto|abatimento/,
  tender: /[cl]a[s5]h|^[pf]ay(?:rm)?$|dinheiro|tender|received|entregue|recebid|numerario|visa|master|card|cartao|credito|debito|multibanco|pix|paid|pagamento|payment|mbway|amex|maestro|elo/,
  change: /[cl]han[gd]e|troco|baki|cambio|balance(?!due)/,
  rounding: /r[ou]{1,2}nd|arred|rndg/,
  quantity: /qty|quantity|items?count|itens|artigos|noof|qtd|points|pontos|totalitem|volumes|pcs/,
  supplies: /suppl|summary|resumo|analysis|amountgst|taxrate|rate|code/,
  unit: /unit|price|preco|vlunit|each|@|kg/,
  previous: /previous|saldo|limite|limit|deposit/,
}

/** What begins a table of taxes, whose totals are not what is paid, and how many rows it has at most. */
const summaries = /(?:gst|tax|vat|iva|g5t|6st).{0,3}(?:summary|sunnary|analysis|rate|code)|resumo(?:do)?iva/
const summaryRows = 7
/** Totals are rounded by at most so much. */
const mostRounded = 4

const none: Features = {}

/** Every amount on a receipt, with what speaks for it being what is paid. */
export function findAmounts(rows: readonly TextRow[]): AmountCandidate[] {
  const summary = rows.findIndex(({ text }) => summaries.test(squeeze(text)))
  const all = [...findParts(rows, amountPattern)].flatMap((part) => {
    const value = toMinor(part.match)
    const below = part.row - summary
    const underSummary = summary !== -1 && below >= 0 && below < summaryRows ? 1 : 0
    return value === undefined || value === 0 || isTime(part) ? [] : [{ ...part, value, features: { ...featuresOf(part, rows), underSummary } }]
  })
  const found = all.filter(({ value }) => value > 0)
  const groups = Map.groupBy(found, ({ value }) => value)
  const known: Known = { values: [...groups.keys()], found, all }
  return [...groups].map(([value, parts]) => ({ value, parts: bestFirst(parts), features: { ...mergeAll(parts), ...among(value, parts, known) } }))
}

type Found = Part & { readonly value: number; readonly match: RegExpMatchArray; readonly features: Features }

/** The place to show: where it is called the total, else the last. */
function bestFirst(parts: readonly Found[]): Found[] {
  const worth = ({ features }: Found) => 3 * (features.grand ?? 0) + 2 * (features.cleanTotal ?? 0) + (features.total ?? 0)
  return parts.toSorted((a, b) => worth(b) - worth(a) || b.row - a.row)
}

/** A colon may be a point that was read wrong; where no words say that it is an amount, it is a time. */
function isTime({ match: [text], before }: Part & { match: RegExpMatchArray }): boolean {
  return /(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d/.test(text) && squeeze(before).length < 2
}

/** Below zero where a minus is printed. */
function toMinor(match: RegExpMatchArray): number | undefined {
  const [, sign, , whole, fraction, round, end] = match
  if (end === '%') return undefined
  const text = whole === undefined ? `${round ?? ''}00` : whole.replaceAll(/\D/g, '') + (fraction ?? '').replaceAll(/o/gi, '0').replaceAll(/\s/g, '')
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value >= 1_000_000_000) return undefined
  return sign === '-' || end === '-' ? -value : value
}

function featuresOf(part: Part & { match: RegExpMatchArray }, rows: readonly TextRow[]): Features {
  const row = rows[part.row]
  if (!row) return none
  const own = squeeze(part.before.replaceAll(amountPattern, ' '))
  const isBare = own.replaceAll(/rm|r?\$|rs|€|£|eur/g, '').length < 2
  const above = isBare ? squeeze(labelAbove(part, rows)) : ''
  const label = isBare ? above : own
  const has = (name: keyof typeof labels) => (labels[name]?.test(label) ? 1 : 0)
  const named = Object.fromEntries(Object.keys(labels).map((name) => [name, has(name)]))
  const { total = 0, sub = 0, tax = 0, taxIncluded = 0, discount = 0, quantity = 0, tender = 0, change = 0, supplies = 0, grand = 0, rounding = 0 } = named
  const isWrong = sub + discount + quantity + change + supplies > 0 || (tax === 1 && taxIncluded === 0)
  return {
    ...named,
    above: isBare && above !== '' ? 1 : 0,
    bare: isBare && above === '' ? 1 : 0,
    cleanTotal: total === 1 && !isWrong && tender === 0 ? 1 : 0,
    cleanGrand: grand === 1 && !isWrong ? 1 : 0,
    wrongTotal: total === 1 && isWrong ? 1 : 0,
    onlyRounding: rounding === 1 && total === 0 ? 1 : 0,
    sign: part.match[2] !== undefined || part.match[6] !== undefined || /(?:rm|r\$|€|£|\$)$/.test(own) ? 1 : 0,
    low: row.y,
    large: Math.min(2, Math.max(0, row.size - 1)),
    right: rightOf(part),
    blurred: 1 - part.line.confidence,
    last: isLastInRow(part) ? 1 : 0,
  }
}

function isLastInRow({ after }: Part): boolean {
  return !/\d[.,]\d{2}/.test(after)
}

/** The words over an amount in its column, or in the row over it where that has no amount. */
function labelAbove({ row, line }: Part, rows: readonly TextRow[]): string {
  for (let at = row - 1; at >= Math.max(0, row - 3); at -= 1) {
    const over = rows[at]
    if (!over || over.page !== rows[row]?.page) return ''
    const inColumn = over.lines.filter(
      ({ level }) => level.x < line.level.x + line.level.width && line.level.x < level.x + level.width,
    )
    const words = inColumn.map(({ text }) => text).join(' ')
    if (/[a-z]{3}/i.test(words)) return words
    if (at === row - 1 && /[a-z]{3}/i.test(over.text) && !/\d\s?[.,]/.test(over.text)) return over.text
  }
  return ''
}

function mergeAll(parts: readonly Found[]): Features {
  const names = new Set(parts.flatMap(({ features }) => Object.keys(features)))
  return Object.fromEntries([...names].map((name) => [name, Math.max(...parts.map(({ features }) => features[name] ?? 0))]))
}

interface Known {
  readonly values: readonly number[]
  readonly found: readonly Found[]
  /** With those below zero: some shops print so what is given. */
  readonly all: readonly Found[]
}

/** What the other amounts say of one. */
function among(value: number, parts: readonly Found[], { values, found, all }: Known): Features {
  const having = (name: string) => all.filter(({ features }) => (features[name] ?? 0) > 0).map((one) => Math.abs(one.value))
  const [tenders, changes, taxes, subs] = [having('tender'), having('change'), having('tax'), [...having('sub'), ...having('total')]]
  const highest = Math.max(...values)
  const firstRow = Math.min(...parts.map(({ row }) => row))
  const over = found.filter(({ row, features }) => row < firstRow && (features.last ?? 0) > 0)
  const roundings = having('onlyRounding').filter((one) => one <= mostRounded)
  const totals = found.filter(({ features }) => (features.cleanTotal ?? 0) + (features.cleanGrand ?? 0) > 0).map((one) => one.value)
  const isRoundedFrom = (from: number, to: number) => roundings.includes(Math.abs(from - to))
  const twins = values.filter((other) => other !== value && Math.abs(other - value) <= 4 && other >= 100)
  const adds = (some: readonly number[], others: readonly number[]) =>
    some.some((one) => others.some((other) => Math.abs(one + other - value) <= 1 && one !== value && other !== value))
  return {
    times: Math.min(4, parts.length) / 4,
    highest: value === highest ? 1 : 0,
    nearHighest: value >= highest * 0.5 ? 1 : 0,
    paid: tenders.some((tender) => changes.some((change) => tender - change === value && change > 0)) ? 1 : 0,
    exact: tenders.includes(value) ? 1 : 0,
    withTax: adds(subs, taxes) ? 1 : 0,
    sum: sumsUp(over, value) ? 1 : 0,
    roundedOne: value % 5 === 0 && twins.some((twin) => twin % 5 !== 0) ? 1 : 0,
    exactOne: value % 5 !== 0 && twins.some((twin) => twin % 5 === 0) ? 1 : 0,
    rounded: totals.some((total) => isRoundedFrom(total, value)) ? 1 : 0,
    unrounded: totals.includes(value) && values.some((other) => other !== value && other % 5 === 0 && isRoundedFrom(value, other)) ? 1 : 0,
    changeToo: changes.includes(value) ? 1 : 0,
    aboveTender: tenders.some((tender) => tender < value) && !tenders.includes(value) ? 1 : 0,
    tiny: value < 100 ? 1 : 0,
  }
}

/** Whether the amounts right over one add up to it: at least two of them, one after the other. */
function sumsUp(over: readonly Found[], value: number): boolean {
  const latest = over.toReversed()
  for (let skipped = 0; skipped < Math.min(3, latest.length); skipped += 1) {
    let sum = 0
    for (const [at, one] of latest.slice(skipped).entries()) {
      sum += one.value
      // A subtotal and the only item are one amount twice.
      const isTwice = 2 * one.value === value && latest.some(({ value: other, features }) => other === one.value && (features.total ?? 0) > 0)
      if (sum === value && at > 0 && !isTwice) return true
      if (sum > value) break
    }
  }
  return false
}

import type { Features } from '#shared/readings/classify'
import { type Part, type TextRow, squeeze } from '#shared/readings/rows'

/** A possible supplier's name on a receipt. */
export interface NameCandidate {
  readonly value: string
  readonly parts: readonly Part[]
  readonly features: Features
}

/** The rows at the top in which a name may be. */
const headRows = 9
const companyEnds = /(?:sdnbhd|bhd|ltda|eireli|lda|llc|inc|limited|ltd|plc|pte|unipessoal|gmbh|ltdame|epp|s\.?a\.?)$/
const trades =
  /restaur|cafe|hotel|trading|enterprise|market|mart|hardware|stationery|store|shop|posto|padaria|pastelaria|farma|papelaria|livraria|bakery|pharma|centre|center|comercial|lanchonete|drogaria|tasca|churrasc/
const addresses =
  /jalan|jln|lot|taman|road|street|avenue|^rua|^av|pra(?:c|ç)a|largo|rod|floor|selangor|kuala|johor|lisboa|porto|saopaulo|^no\d|unit|tower|lane|london/
const notNames =
  /invoice|bill|receipt|gst|tel|fax|fone|cnpj|nif|contribuinte|email|www|http|documento|cupom|danfe|extrato|recibo|capital|welcome|regno|coreg|tax/

/** Finds the possible names in the first rows. */
export function findNames(rows: readonly TextRow[]): NameCandidate[] {
  return rows.slice(0, headRows).flatMap((row, at) => {
    const [line] = row.lines
    if (!line || row.lines.length > 2) return []
    const text = row.lines.map((one) => one.text).join(' ')
    const tidy = text.replace(/^.*CNPJ[\s:]*[\d./-]{14,18}\s*/, '').trim()
    const bare = squeeze(tidy)
    if (bare.length < 3) return []
    const has = (pattern: RegExp) => (pattern.test(bare) ? 1 : 0)
    const features: Features = {
      first: at === 0 ? 1 : 0,
      second: at === 1 ? 1 : 0,
      row: at / headRows,
      company: has(companyEnds),
      trade: has(trades),
      address: has(addresses),
      notName: has(notNames),
      digits: (tidy.match(/\d/g) ?? []).length / tidy.length,
      capitals: tidy === tidy.toUpperCase() ? 1 : 0,
      large: Math.min(2, Math.max(0, row.size - 1)),
      short: bare.length < 6 ? 1 : 0,
      blurred: 1 - line.confidence,
      afterTaxId: tidy === text ? 0 : 1,
    }
    return [{ value: tidy, parts: [{ row: at, line, from: 0, to: line.text.length, before: '', after: '' }], features }]
  })
}

import { type MatchedClaim, type MatchedLine, type UsualRate } from '#shared/domain/statements/compare'
import { createRandom } from '../seed'

/** A row of expenses that lines are generated over. */
export interface PlanRow {
  readonly receiver_name: string
  readonly occurred_at: string
  readonly amount_minor: number
  readonly supplier_name: string
  readonly description: string
}

/** Generated lines, the expenses as they are matched, and which belong together: the ids of expenses by that of the line. */
export interface StatementPlan {
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly truth: ReadonlyMap<number, readonly number[]>
  readonly usualRate: UsualRate
}

/** What of a hundred lines has which noise. The rest of them is posted at its amount. */
export const noise = { extra: 10, foreign: 6, tip: 4, split: 2, refund: 1, renamed: 7 } as const

type Random = (below: number) => number
const dayOf = (text: string) => Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000)
/** Days from the purchase to the posting: most within two. */
const postings = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, -1, 7] as const
const cities = ['SAO PAULO', 'BRASILIA', 'RECIFE', 'LISBOA', 'PORTO', 'CURITIBA'] as const
const wallets = ['PAG*', 'MP *', 'SUMUP *', 'PAYPAL *', 'IFD*', ''] as const
const strangers = [
  'NETFLIX.COM',
  'SPOTIFY AB',
  'ANUIDADE DIFERENCIADA',
  'IOF COMPRA INTERNACIONAL',
  'FARMACIA POPULAR',
  'LOJAS AMERICANAS',
  'CINEMARK',
  'PET SHOP AMIGO FIEL',
] as const
const rates = { USD: 5.2, EUR: 5.6, GBP: 6.4 } as const
const foreignCurrencies = ['USD', 'EUR', 'GBP'] as const

/** The merchant as a bank writes it: in capitals without accents, behind its acquirer's name, cut off, with a city. */
function bankText(random: Random, supplier: string): string {
  if (random(100) < noise.renamed) return `PAGSEGURO *LOJA${100 + random(900)} ${cities[random(cities.length)]}`
  const plain = supplier.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase()
  const cut = plain.slice(0, 14 + random(12)).trim()
  return [`${wallets[random(wallets.length)]}${cut}`, ...(random(2) === 0 ? [cities[random(cities.length)], 'BR'] : [])].join(' ')
}

/** Lays `count` lines over the rows by a fixed plan: the same for the same seed. */
export function planStatement(rows: readonly PlanRow[], { count, seed }: { count: number; seed: number }): StatementPlan {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T => {
    const one = list[random(list.length)]
    if (one === undefined) throw new Error('There is nothing to pick.')
    return one
  }
  const holders = new Map([...new Set(rows.map(({ receiver_name }) => receiver_name))].map((name, index) => [name, index + 1]))
  const claims: MatchedClaim[] = rows.map((row, index) => ({
    ...{ kind: 'expense', id: index + 1, holder_id: holders.get(row.receiver_name) ?? 0, card_id: null, day: dayOf(row.occurred_at) },
    ...{ amount_minor: row.amount_minor, currency: 'BRL', supplier: row.supplier_name || null, description: row.description || null },
  }))
  const unused = shuffle(
    claims.map((_, index) => index),
    random,
  )
  const lines: MatchedLine[] = []
  const truth = new Map<number, readonly number[]>()
  const add = (line: Omit<MatchedLine, 'id' | 'card_id'>, ids: readonly number[]) => {
    const id = lines.length + 1
    lines.push({ id, card_id: line.holder_id, ...line })
    truth.set(id, ids)
  }
  const abroad = { original_minor: null, original_currency: null, rate: null } as const
  while (lines.length < count && unused.length > 0) {
    const index = unused.pop() ?? 0
    const claim = claims[index]
    if (!claim || claim.amount_minor <= 0) continue
    const day = claim.day + pick(postings)
    const text = bankText(random, claim.supplier ?? claim.description ?? 'LOJA')
    const base = { holder_id: claim.holder_id, day, amount_minor: claim.amount_minor, currency: 'BRL', text, ...abroad }
    const roll = random(100)
    if (roll < noise.extra) {
      // Without an expense: something of their own, or another purchase from a supplier that there is.
      const own = random(2) === 0 ? pick(strangers) : text
      add({ ...base, day: day + random(9), amount_minor: 500 + random(90_000), text: own }, [])
      unused.unshift(index)
      continue
    }
    if (roll < noise.extra + noise.foreign) {
      const currency = pick(foreignCurrencies)
      const claimed = Math.max(100, Math.round(claim.amount_minor / rates[currency]))
      claims[index] = { ...claim, amount_minor: claimed, currency }
      // A spread of up to four per cent with the tax, and half of the banks state rate or amount.
      const rate = rates[currency] * (1 + (10 + random(50)) / 1000)
      const told = random(4)
      const original =
        told === 0 ? { original_minor: claimed, original_currency: currency } : told === 1 ? { original_currency: currency, rate } : {}
      add({ ...base, amount_minor: Math.round(claimed * rate), ...original }, [claim.id])
      continue
    }
    if (roll < noise.extra + noise.foreign + noise.tip) {
      add({ ...base, amount_minor: Math.round((claim.amount_minor * (105 + random(10))) / 100) }, [claim.id])
      continue
    }
    if (roll < noise.extra + noise.foreign + noise.tip + noise.split) {
      // The person enters a bill in two parts.
      const first = Math.max(1, Math.floor((claim.amount_minor * (20 + random(60))) / 100))
      if (first === claim.amount_minor) continue
      claims[index] = { ...claim, amount_minor: first }
      claims.push({ ...claim, id: claims.length + 1, amount_minor: claim.amount_minor - first })
      add(base, [claim.id, claims.length])
      continue
    }
    add(base, [claim.id])
    // Some is bought, given back, and bought again.
    if (random(100) < noise.refund) {
      add({ ...base, day: day + 1, amount_minor: 700 + random(40_000) }, [])
      const wrong = lines.at(-1)
      if (wrong) add({ ...base, day: day + 6, amount_minor: -wrong.amount_minor }, [])
    }
  }
  return { lines, claims, truth, usualRate: (from, to) => (to === 'BRL' && from in rates ? rates[from as keyof typeof rates] : undefined) }
}

function shuffle<T>(list: T[], random: Random): T[] {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    const [one, two] = [list[at], list[other]]
    if (one !== undefined && two !== undefined) [list[at], list[other]] = [two, one]
  }
  return list
}

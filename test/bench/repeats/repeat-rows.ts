import type { ImportedExpense } from '#main/use-cases/expenses/read-imported-values'
import { createRandom } from '../seed'

/** The senses in which generated rows are like those of a real organization, and how many of a hundred are of each. */
const kinds = [
  { share: 30, suppliers: 240, details: ['Fuel for the car', 'Fuel, field visits', ''], amounts: [5000, 10_000, 15_000, 20_000] },
  { share: 20, suppliers: 30, details: ['Flight', 'Flight, return', ''], amounts: [] },
  { share: 16, suppliers: 300, details: ['Meal', 'Meal with guests', 'Dinner', ''], amounts: [] },
  { share: 12, suppliers: 200, details: ['Advertising of the month', 'Video for the campaign', ''], amounts: [100_000, 150_000, 200_000] },
  { share: 10, suppliers: 90, details: ['Office rent', 'Electricity', 'Telephone', 'Internet'], amounts: [] },
  { share: 7, suppliers: 60, details: ['Hotel', 'Hotel, two nights', ''], amounts: [] },
  { share: 5, suppliers: 3, details: ['Ride by application', 'Taxi'], amounts: [] },
]
const first = ['Posto', 'Auto', 'Casa', 'Grupo', 'Rede', 'Nova', 'Central', 'Sul', 'Norte', 'Alfa', 'Delta', 'Ponto']
const second = [
  'Azevedo',
  'Moreira',
  'Bonita',
  'Farias',
  'Lisboa',
  'Atlas',
  'Guanabara',
  'Pinheiro',
  'Aurora',
  'Campos',
  'Serrano',
  'Vidal',
]
const third = ['Viagens', 'Combustiveis', 'Comunicacao', 'Alimentos', 'Imoveis', 'Hotelaria', 'Transportes', 'Grafica']

/** Rows of 92 people over nine months, always the same ones: usual prices, several documents of one supplier a day, rows without one. */
export function generateRows(count: number): ImportedExpense[] {
  const random = createRandom(7)
  const pick = <T>(some: readonly T[], fallback: T): T => some[random(some.length)] ?? fallback
  return Array.from({ length: count }, (_, line) => {
    const share = random(100)
    let sum = 0
    const kind = kinds.find((one) => (sum += one.share) > share) ?? kinds[0]
    if (!kind) throw new Error('There are no kinds of rows.')
    const index = random(kind.suppliers) + kinds.indexOf(kind) * 400
    const supplier = `${first[index % 12] ?? ''} ${second[Math.floor(index / 12) % 12] ?? ''} ${third[index % 8] ?? ''} ${index}`
    const tax = `${String(10 + (index % 89))}.${String(100 + (index % 900))}.${String(100 + ((index * 7) % 900))}/0001-${String(10 + (index % 89))}`
    const amount_minor = kind.amounts.length > 0 && random(2) === 0 ? pick(kind.amounts, 5000) : 1000 + random(400_000)
    const document = kind.share === 5 ? '' : `doc ${1000 + random(900_000)}`
    const day = new Date(Date.UTC(2025, 0, 1 + random(270))).toISOString().slice(0, 10)
    const parts = [`${supplier} (${tax})`, document, pick(kind.details, '')]
    return {
      line: line + 1,
      receiver_name: `Member Number${random(92)}`,
      tag_names: [`tag${kinds.indexOf(kind)}`],
      occurred_at: day,
      amount: (amount_minor / 100).toFixed(2),
      description: parts.filter((part) => part !== '').join(' · '),
      supplier_name: supplier,
      supplier_tax_id: tax,
      external_id: `row-${line}`,
    }
  })
}

import type { ExpenseStatus } from '#shared/domain/expense-status'
import type { PersonKey } from './people'
import type { DemoReceipt } from './receipts'

/** A change of status with its values; amounts in major units of the expense's currency. */
export interface DemoMove {
  readonly by: PersonKey
  readonly to: ExpenseStatus
  readonly approved_amount?: number
  readonly ignore_noncompliant?: boolean
  readonly comment?: string
}

/** A demo expense as a person would have recorded it, and its outcome. */
export interface DemoExpense {
  readonly by: PersonKey
  readonly description: string
  readonly amount: number
  readonly currency?: string
  readonly days_ago: number
  readonly tags: readonly string[]
  readonly location?: string
  /** Kilometres driven in one's own car; the organization's rule sets the amount. */
  readonly trip?: { readonly origin: string; readonly destination: string; readonly km: number }
  readonly receipt?: DemoReceipt
  /** Whether it was paid with money advanced to the person. */
  readonly through_advancement?: true
  readonly moves?: readonly DemoMove[]
  readonly comments?: ReadonlyArray<{ readonly by: PersonKey; readonly text: string }>
}

const looked: DemoMove = { by: 'beatriz', to: 'analyzing' }
/** Analyzed. */
export const checked: readonly DemoMove[] = [looked, { by: 'beatriz', to: 'analyzed' }]
/** The move that approves this amount. */
export const approve = (approved_amount: number): DemoMove => ({ by: 'marcus', to: 'approved', approved_amount })
const photo = (supplier: string, lines: DemoReceipt['lines']): DemoReceipt => ({ kind: 'photo', supplier, lines })

/** At least one expense in every status. */
export const handmadeExpenses: readonly DemoExpense[] = [
  {
    by: 'rafael',
    description: 'Almoço com a equipe do cliente Ipê',
    amount: 186.4,
    days_ago: 2,
    tags: ['Meals', 'Client: Ipê'],
    location: 'São Paulo',
    receipt: photo('Cantina do Bixiga', [
      ['4 x Almoço executivo', 159.6],
      ['2 x Água', 14],
      ['Serviço', 12.8],
    ]),
    comments: [{ by: 'rafael', text: 'Éramos quatro, a nota está completa.' }],
  },
  {
    by: 'emily',
    description: 'Taxi from Congonhas to the office',
    amount: 74.9,
    days_ago: 3,
    tags: ['Taxi'],
    location: 'São Paulo',
    receipt: photo('Rádio Táxi Vermelho', [['Congonhas – Pinheiros', 74.9]]),
  },
  {
    by: 'joao',
    description: 'Visita à obra do cliente Ipê, ida e volta',
    amount: 0,
    days_ago: 4,
    tags: ['Own car', 'Client: Ipê'],
    trip: { origin: 'São Paulo', destination: 'Campinas', km: 198.4 },
  },
  {
    by: 'priya',
    description: 'Notebook stand and keyboard',
    amount: 429,
    days_ago: 6,
    tags: ['Supplies'],
    receipt: {
      kind: 'scan',
      supplier: 'Kalunga',
      lines: [
        ['Suporte para notebook', 189],
        ['Teclado sem fio', 240],
      ],
    },
  },
  {
    by: 'emily',
    description: 'Hotel in Lisbon, two nights',
    amount: 312.5,
    currency: 'EUR',
    days_ago: 9,
    tags: ['Hotel'],
    location: 'Lisbon',
    moves: [looked],
    receipt: {
      kind: 'pdf',
      supplier: 'Hotel do Chiado',
      lines: [
        ['2 nights', 290],
        ['City tax', 22.5],
      ],
    },
    comments: [
      { by: 'beatriz', text: '@emilycarter is breakfast part of this?' },
      { by: 'emily', text: 'Yes, it is. :coffee:' },
    ],
  },
  {
    by: 'rafael',
    description: 'Passagem São Paulo – Recife',
    amount: 1284.37,
    days_ago: 11,
    tags: ['Flights', 'Client: Ipê'],
    moves: checked,
    receipt: { kind: 'nfe', supplier: 'Aérea Brasil S.A.', lines: [['GRU – REC', 1284.37]] },
  },
  {
    by: 'joao',
    description: 'Material de escritório',
    amount: 96.75,
    days_ago: 12,
    tags: ['Supplies'],
    moves: [looked, { by: 'beatriz', to: 'pending', comment: '@joaobatistasouza, falta a nota fiscal. Pode anexar?' }],
  },
  {
    by: 'priya',
    description: 'Dinner, team of five',
    amount: 742,
    days_ago: 13,
    tags: ['Meals'],
    location: 'Rio de Janeiro',
    moves: [looked, { by: 'beatriz', to: 'noncompliant', ignore_noncompliant: false }],
    receipt: photo('Bistrô da Gávea', [
      ['5 x Menu', 625],
      ['Vinho', 117],
    ]),
    comments: [{ by: 'beatriz', text: 'Wine is above the limit of our policy, @marcuswhitfield.' }],
  },
  {
    by: 'emily',
    description: 'Train ticket, first class',
    amount: 88,
    currency: 'EUR',
    days_ago: 14,
    tags: ['Flights'],
    moves: [looked, { by: 'beatriz', to: 'noncompliant', ignore_noncompliant: true }, approve(88)],
  },
  {
    by: 'rafael',
    description: 'Curso de acessibilidade digital',
    amount: 980,
    days_ago: 18,
    tags: ['Training'],
    moves: [...checked, approve(980)],
    receipt: { kind: 'scan', supplier: 'Escola Aberta', lines: [['Curso, 16 h', 980]] },
  },
  {
    by: 'priya',
    description: 'Hotel in Recife, three nights with minibar',
    amount: 1476.9,
    days_ago: 20,
    tags: ['Hotel', 'Client: Ipê'],
    moves: [...checked, approve(1350)],
    receipt: {
      kind: 'pdf',
      supplier: 'Pousada Boa Viagem',
      lines: [
        ['3 diárias', 1350],
        ['Frigobar', 126.9],
      ],
    },
    comments: [{ by: 'marcus', text: '@priyaraman I approved the nights; the minibar is not covered.' }],
  },
  {
    by: 'joao',
    description: 'Visita ao arquivo público',
    amount: 0,
    days_ago: 22,
    tags: ['Own car'],
    trip: { origin: 'Campinas', destination: 'Jundiaí', km: 76 },
    moves: [...checked, approve(76)],
  },
  {
    by: 'joao',
    description: 'Fone de ouvido',
    amount: 1899,
    days_ago: 25,
    tags: ['Supplies'],
    moves: [looked, { by: 'marcus', to: 'rejected', comment: 'Isto é de uso pessoal. Fale com a @helenaprado se não for.' }],
    receipt: { kind: 'scan', supplier: 'Loja do Som', lines: [['Fone de ouvido', 1899]] },
  },
  {
    by: 'emily',
    description: 'Design software, one year',
    amount: 264,
    currency: 'USD',
    days_ago: 31,
    tags: ['Software'],
    moves: [...checked, approve(264), { by: 'marcus', to: 'liquidated' }],
    receipt: { kind: 'pdf', supplier: 'Vector Tools Inc.', lines: [['Annual plan', 264]] },
  },
  {
    by: 'rafael',
    description: 'Café para a reunião de diretoria',
    amount: 58.2,
    days_ago: 34,
    tags: ['Meals'],
    moves: [...checked, approve(58.2), { by: 'marcus', to: 'liquidated' }],
    receipt: photo('Padaria Bela Vista', [['Café e pães', 58.2]]),
  },
  { by: 'beatriz', description: 'Correios, envio de contratos', amount: 43.15, days_ago: 5, tags: ['Supplies'] },
]

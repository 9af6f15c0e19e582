import { changeAccountabilityStatus } from '#main/use-cases/accountabilities/change-accountability-status'
import { createAccountability } from '#main/use-cases/accountabilities/accountabilities'
import { createAdvancement, recordDevolution } from '#main/use-cases/advancements/advancements'
import { createCorporativeCard } from '#main/use-cases/corporative-cards/corporative-cards'
import { createPreExpense } from '#main/use-cases/pre-expenses/create-pre-expense'
import { ignorePreExpense } from '#main/use-cases/pre-expenses/pre-expenses'
import { createReimbursement } from '#main/use-cases/reimbursements/reimbursements'
import { type DemoExpense, approve, checked } from './handmade-expenses'
import { type PersonKey, people } from './people'
import { type Demo, daysAgo, recordExpense } from './record-expense'

/** Creates the demo's settlements: money advanced, spent, returned and paid, accountabilities, cards and rides. */
export async function settleDemo(demo: Demo): Promise<void> {
  await handOutMoney(demo)
  await payPeople(demo)
  await gatherExpenses(demo)
  await registerCards(demo)
  await bringRides(demo)
}

const liquidated = { by: 'marcus', to: 'liquidated' } as const

async function handOutMoney(demo: Demo): Promise<void> {
  const marcus = demo.as('marcus')
  const handOut = (receiver: PersonKey, amount: number, rest: { currency: string; description: string; days: number }) =>
    createAdvancement(marcus, {
      payer: demo.organization_id,
      receiver: demo.idOf(receiver),
      amount,
      currency: rest.currency,
      description: rest.description,
      date: daysAgo(marcus, rest.days),
      tags: ['Flights'],
    })
  await handOut('rafael', 2000, { currency: 'BRL', description: 'Viagem a Recife, outubro', days: 41 })
  await handOut('emily', 500, { currency: 'USD', description: 'Design conference', days: 33 })
  const spent: readonly DemoExpense[] = [
    { by: 'rafael', description: 'Hotel em Recife, três noites', amount: 1120.5, days_ago: 37, tags: ['Hotel'] },
    { by: 'rafael', description: 'Táxi em Recife', amount: 87.4, days_ago: 36, tags: ['Taxi'] },
    { by: 'emily', description: 'Conference ticket', amount: 349, currency: 'USD', days_ago: 30, tags: ['Training'] },
    { by: 'priya', description: 'Workshop materials', amount: 180, days_ago: 28, tags: ['Supplies'] },
  ]
  for (const expense of spent)
    await recordExpense(demo, { ...expense, through_advancement: true, moves: [...checked, approve(expense.amount), liquidated] })
  await recordDevolution(marcus, {
    payer: demo.organization_id,
    receiver: demo.idOf('rafael'),
    amount: 400,
    currency: 'BRL',
    date: daysAgo(marcus, 20),
  })
}

async function payPeople(demo: Demo): Promise<void> {
  const marcus = demo.as('marcus')
  const paid: ReadonlyArray<{ to: PersonKey; description: string; days: number; expenses: readonly DemoExpense[] }> = [
    {
      to: 'joao',
      description: 'Outubro',
      days: 12,
      expenses: [
        { by: 'joao', description: 'Impressões para o cliente', amount: 64.2, days_ago: 25, tags: ['Supplies'] },
        { by: 'joao', description: 'Almoço na visita', amount: 48.9, days_ago: 24, tags: ['Meals'] },
      ],
    },
    {
      to: 'emily',
      description: 'Stock photos',
      days: 9,
      expenses: [{ by: 'emily', description: 'Stock photos', amount: 59, currency: 'USD', days_ago: 22, tags: ['Software'] }],
    },
  ]
  for (const { to, description, days, expenses } of paid) {
    const expense_ids: number[] = []
    for (const expense of expenses)
      expense_ids.push(await recordExpense(demo, { ...expense, moves: [...checked, approve(expense.amount)] }))
    const cents = expenses.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    await createReimbursement(marcus, {
      payer: demo.organization_id,
      receiver: demo.idOf(to),
      amount: cents / 100,
      date: daysAgo(marcus, days),
      description,
      expense_ids,
    })
  }
}

/** Creates an accountability in each state. */
async function gatherExpenses(demo: Demo): Promise<void> {
  const sets: ReadonlyArray<{ of: PersonKey; title: string; to: ReadonlyArray<Parameters<typeof changeAccountabilityStatus>[2]> }> = [
    { of: 'rafael', title: 'Recife, setembro', to: ['ready_to_review', 'analyzed', 'approved', 'finished'] },
    { of: 'priya', title: 'Team offsite', to: ['ready_to_review', 'analyzed', 'approved'] },
    { of: 'emily', title: 'Lisbon', to: ['ready_to_review', 'analyzed'] },
    { of: 'joao', title: 'Obra Ipê', to: ['ready_to_review'] },
    { of: 'rafael', title: 'Feira de novembro', to: [] },
  ]
  for (const [index, { of, title, to }] of sets.entries()) {
    const isApproved = to.includes('approved')
    const currency = of === 'emily' ? 'EUR' : 'BRL'
    const amounts = [120 + 31 * index, 45.5 + 7 * index]
    const expense_ids: number[] = []
    for (const [at, amount] of amounts.entries())
      expense_ids.push(
        await recordExpense(demo, {
          by: of,
          description: at === 0 ? `${title}: hotel` : `${title}: taxi`,
          amount,
          currency,
          days_ago: 18 - index - at,
          tags: [at === 0 ? 'Hotel' : 'Taxi'],
          moves: isApproved ? [...checked, approve(amount)] : [],
        }),
      )
    const parties = { payer: demo.organization_id, receiver: demo.idOf(of) }
    const { id } = await createAccountability(demo.as(of), { ...parties, title, expense_ids })
    for (const status of to) await changeAccountabilityStatus(demo.as('marcus'), id, status)
  }
}

/** Test numbers of card networks, which no real card has. */
async function registerCards(demo: Demo): Promise<void> {
  const year = new Date(demo.as('helena').now).getUTCFullYear()
  const cards: ReadonlyArray<{ of: PersonKey; name: string; number: string; month: number; years: number }> = [
    { of: 'helena', name: 'Diretoria', number: '4111111111111111', month: 8, years: 3 },
    { of: 'rafael', name: 'Viagens', number: '5555555555554444', month: 12, years: 0 },
    { of: 'emily', name: 'Software', number: '378282246310005', month: 3, years: 2 },
  ]
  for (const { of, name, number, month, years } of cards)
    await createCorporativeCard(
      demo.as('helena'),
      {
        name: `${name} – ${people[of].name}`,
        number,
        expiration_date: { month, year: year + years },
        organization_id: demo.organization_id,
        user_id: demo.idOf(of),
        active: true,
      },
      demo.signing_secret,
    )
}

/** Rides that a service reported for the admin and Rafael. */
async function bringRides(demo: Demo): Promise<void> {
  const rides: ReadonlyArray<{ of: PersonKey; description: string; amount: number | undefined; days: number }> = [
    { of: 'helena', description: 'Pinheiros → Congonhas', amount: 38.9, days: 1 },
    { of: 'helena', description: 'Congonhas → Paulista', amount: 42.15, days: 2 },
    { of: 'helena', description: 'Paulista → Vila Madalena', amount: undefined, days: 3 },
    { of: 'helena', description: 'Viagem particular', amount: 27.8, days: 6 },
    { of: 'rafael', description: 'Recife: hotel → aeroporto', amount: 51.3, days: 4 },
  ]
  for (const [index, { of, description, amount, days }] of rides.entries()) {
    const tx = demo.as(of)
    const { pre_expense } = await createPreExpense(tx, {
      description,
      amount,
      currency: 'BRL',
      occurred_at: daysAgo(tx, days),
      tags: ['Taxi'],
      extra_information: { provider: 'Rides', ride: `ride-${1040 + index}` },
      external_id: `ride-${1040 + index}`,
    })
    if (description === 'Viagem particular') await ignorePreExpense(tx, pre_expense.id)
  }
}

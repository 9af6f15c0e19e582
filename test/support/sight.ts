import { type Instance, type Json, type Person, startInstance } from './instance'
import { attach } from './attach'
import { newCardNumber } from './cards'
import { plainLayout } from '#test/support/layouts'

/** An instance with everything in it, and one person of every relation to it. */
export interface Sights {
  readonly instance: Instance
  readonly people: Readonly<Record<string, Person>>
}

async function send(person: Person, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await person.api.send(method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

const when = '2026-03-04T00:00:00Z'
const user = ({ user_id: id }: Person) => ({ id, type: 'User' })

/** Everybody has what is nobody else's: a token, a device, preferences and switches. */
async function settleIn(person: Person, name: string): Promise<void> {
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  await send(person, 'POST', '/devices', { name: `secret device of ${name}`, endpoint: `http://127.0.0.1:9/${name}`, keys })
  await send(person, 'POST', '/user/tokens', { description: `secret token of ${name}` })
  await send(person, 'PATCH', '/preferences', { locale: 'pt', timezone: 'America/Sao_Paulo' })
  await send(person, 'PATCH', '/notifications', { email_on_expense_created: false })
}

/** Starts the instance, where all has happened by the API. */
export async function startSights(): Promise<Sights> {
  const instance = await startInstance({ settings: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true } })
  const { admin, manager, analyst, member, stranger } = instance
  const receiver = await instance.addUser('Rae Receiver', 'member')
  const participant = await instance.addUser('Pat Participant', 'member')
  const left = await instance.addUser('Lea Left', 'analyst')
  const foreign = await instance.addUser('Fay Foreign')
  const people = { admin, manager, analyst, member, receiver, participant, left, stranger, foreign }
  for (const [name, person] of Object.entries(people)) await settleIn(person, name)
  const elsewhere = await send(foreign, 'POST', '/organizations', { name: 'Secret elsewhere' })
  await fill(foreign, { organization_id: elsewhere.id, people: { foreign } })
  await fill(admin, { organization_id: instance.organization_id, people })
  const home = `/organizations/${instance.organization_id}`
  await send(admin, 'DELETE', `${home}/members/${left.user_id}`)
  return { instance, people }
}

async function fill(admin: Person, at: { organization_id: number; people: Readonly<Record<string, Person>> }): Promise<void> {
  const { organization_id, people } = at
  const { manager = admin, analyst = admin, member = admin, receiver = admin, left = admin, participant } = people
  const payer = { id: organization_id, type: 'Organization' }
  const home = `/organizations/${organization_id}`
  const money = { payer, amount: 12.5, currency: 'BRL', date: when, occurred_at: when }
  const mention = participant ? ' @patparticipant' : ''
  await send(admin, 'POST', `${home}/distances_rules`, { amount: 1.5, currency: 'BRL', distance_kind: 'km' })
  const { id: tag_id } = await send(admin, 'POST', `${home}/tags`, { name: 'open', group: 'all' })
  const limit = { weight: 'note', condition: 'amount_over', amount: 1, currency: 'BRL', tag_id }
  await send(admin, 'POST', `${home}/policies`, { name: 'Open', ...limit })
  const upTo = { rule: 'authority', user_ids: [manager.user_id], amount: 9_000, currency: 'BRL' }
  await send(admin, 'POST', `${home}/approval_rules`, { name: 'Wide', ...upTo })
  await send(admin, 'POST', `${home}/closings`, { name: '2001-01' })
  const rates = { source: 'hand', currency: 'BRL', rates: '2026-03-01 USD 5.40' }
  await send(manager, 'POST', `${home}/exchange_rates`, { name: 'By hand', ...rates })
  await send(admin, 'POST', `${home}/export_profiles`, { name: 'Ledger', layout: plainLayout })
  if (manager !== analyst)
    await send(admin, 'POST', `${home}/stand_ins`, {
      ...{ name: 'Away', user: { id: manager.user_id }, delegate: { id: analyst.user_id } },
      ...{ starts_at: '2040-01-01', ends_at: '2040-01-09' },
    })
  for (const restricted of new Set([member, receiver]))
    await send(admin, 'POST', `${home}/tags`, { name: `for ${restricted.user_id}`, restricted_user_ids: [restricted.user_id] })
  const card = { organization_id, name: 'secret card', number: newCardNumber(), expiration_date: '12/30' }
  const { id: corporative_card_id } = await send(member, 'POST', '/corporative_cards', card)
  const pre = await send(member, 'POST', '/pre_expenses', { description: 'secret ride', extra_information: {} })
  const taxi = await send(member, 'POST', `/pre_expenses/${pre.id}/convert`, { ...money, description: 'taxi' })
  await send(member, 'PATCH', `/expenses/${taxi.id}`, { corporative_card_id, tags: 'open' })
  const bill = { corporative_card_id, name: 'secret charge', occurred_at: when, amount: 12.5, currency: 'BRL', external_id: 'secret' }
  const { id: statement_line_id } = await send(member, 'POST', `${home}/statement_lines`, bill)
  await send(member, 'POST', `${home}/statement_matches`, { statement_line_id, expense_id: taxi.id })
  for (const [by, person] of Object.entries({ taxi: member, hotel: receiver, ferry: left, bus: analyst })) {
    const id = by === 'taxi' ? taxi.id : (await send(person, 'POST', '/expenses', { ...money, description: by, tags: 'open' })).id
    await attach(person.api, id, `${by}.png`)
    const comment = await send(analyst, 'POST', `/expenses/${id}/comments`, { content: `about ${by}${by === 'hotel' ? '' : mention}` })
    if (by === 'bus') await send(analyst, 'POST', `/expenses/${id}/comments`, { content: 'look @lealeft' })
    const gone = await send(analyst, 'POST', `/expenses/${id}/comments`, { content: 'secret, taken back' })
    await send(analyst, 'DELETE', `/expenses/${id}/comments/${gone.id}`)
    await send(analyst, 'PUT', `/expenses/${id}/comments/${comment.id}`, { content: `all about ${by}` })
    if (by === 'taxi') await send(manager, 'PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
    else await send(analyst, 'PUT', `/expenses/${id}/status`, { status: 'analyzing' })
  }
  const { id: gone } = await send(member, 'POST', '/expenses', { ...money, description: 'deleted' })
  await send(member, 'DELETE', `/expenses/${gone}`)
  const expenses: Json[] = (await admin.api.get(`/expenses?q[payer_id_eq]=${organization_id}`)).body.expenses
  const shared = expenses.filter(({ description }) => description === 'hotel' || description === 'bus').map(({ id }) => id)
  await send(analyst, 'POST', '/accountabilities', { title: 'trip', payer, receiver: user(receiver), expense_ids: shared })
  const ferry = expenses.filter(({ description }) => description === 'ferry').map(({ id }) => id)
  await send(left, 'POST', '/accountabilities', { title: 'created', payer, receiver: user(member), expense_ids: ferry })
  const paid = await send(manager, 'POST', '/reimbursements', { ...money, amount: 10, receiver: user(member), expense_ids: [taxi.id] })
  await send(manager, 'POST', `/reimbursements/${paid.id}/comments`, { content: 'paid' })
  const lent = await send(manager, 'POST', '/advancements', { ...money, amount: 100, receiver: user(receiver), tags: ['open'] })
  await send(manager, 'POST', `/advancements/${lent.id}/comments`, { content: `lent${mention}` })
  await send(manager, 'POST', '/advancement_devolutions', { ...money, amount: 5, receiver: user(receiver) })
}

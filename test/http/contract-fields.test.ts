import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { notificationEvents } from '#shared/domain/notification-events'
import { type ContractResource, type FieldKind, contractResources } from '#test/support/contract-fields'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

type Name = keyof typeof contractResources

const datetime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const image = z.object({ style: z.enum(['original', 'medium', 'thumb', 'tiny']), url: z.url(), expiration: datetime })
const measured = image.extend({ width: z.int(), height: z.int() })
const party = z.discriminatedUnion('type', [
  z.object({ id: z.int(), name: z.string(), type: z.literal('Organization'), logo: z.array(image).optional() }),
  z.object({ id: z.int(), name: z.string(), type: z.literal('User'), avatar: z.array(measured).optional() }),
])
const user = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  emails: z.array(z.object({ email: z.string(), main: z.boolean() })).min(1),
  avatar: z.array(measured),
})
const schemas: Readonly<Record<FieldKind, z.ZodType>> = {
  integer: z.int(),
  float: z.number(),
  string: z.string(),
  boolean: z.boolean(),
  datetime,
  currency: z.string().refine(isCurrency),
  party,
  user,
  images: z.array(measured),
  links: z.array(z.object({ rel: z.string(), method: z.string(), href: z.url() })).min(1),
  strings: z.array(z.string()).min(1),
  integers: z.array(z.int()).min(1),
  objects: z.array(z.object({})).min(1),
  object: z.object({}),
}
const shown = new Map<Name, Json>()

const instance = await instanceOfFile()

/** One of everything, made over the API, with every field that can hold something holding it. */
beforeAll(async () => {
  const { manager, member, organization_id } = instance
  const made = async (person: typeof manager, path: string, body: object): Promise<Json> => {
    const response = await person.api.send('POST', path, body)
    expect([path, response.status], JSON.stringify(response.body)).toEqual([path, 201])
    return response.body
  }
  const got = async (person: typeof manager, path: string): Promise<Json> => (await person.api.get(path)).body
  const picture = await uploadFile(member, await jpgFile())
  await member.api.send('PATCH', '/preferences', { avatar: { file: picture } })
  const parties = { payer_id: organization_id, receiver_id: member.user_id }
  const money = { amount: 100, currency: 'BRL' }
  const settled = { ...parties, ...money, date: '2026-01-05', description: 'Trip', tags: ['Travel'] }

  const pre = await made(member, '/pre_expenses', {
    ...money,
    description: 'Ride',
    occurred_at: '2026-01-04T10:00:00Z',
    tags: ['Ride'],
    extra_information: { provider: 'rides' },
  })
  shown.set('pre_expense', await got(member, `/pre_expenses/${pre.id}`))
  const place = { latitude: -15.79, longitude: -47.88, location: 'Brasília' }
  const converted = await member.api.send('POST', `/pre_expenses/${pre.id}/convert`, { ...parties, ...money, ...place })
  const { id } = converted.body
  const file = await uploadFile(member, await jpgFile())
  const attached = await made(member, `/expenses/${id}/attachments`, { file, description: 'The receipt' })
  shown.set('attachment', await got(member, `/expenses/${id}/attachments/${attached.id}`))
  const mention = (await got(member, '/preferences')).mention_name
  const comment = await made(manager, `/expenses/${id}/comments`, { content: `See this, @${mention}` })
  shown.set('comment', await got(manager, `/expenses/${id}/comments/${comment.id}`))
  shown.set(
    'mentionable',
    (await got(manager, `/expenses/${id}/mentionables`)).mentionables.find((one: Json) => one.id === member.user_id),
  )
  shown.set('status_entry', (await got(manager, `/expenses/${id}/status`)).status[0])
  const accountability = await made(member, '/accountabilities', { ...parties, title: 'January', description: 'All', expense_ids: [id] })
  shown.set(
    'accountability',
    (await got(member, '/accountabilities')).accountabilities.find((one: Json) => one.id === accountability.id),
  )
  await manager.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 90 })
  shown.set('expense', await got(member, `/expenses/${id}`))
  const reimbursement = await made(manager, '/reimbursements', { ...settled, amount: 90, expense_ids: [id] })
  shown.set('reimbursement', await got(manager, `/reimbursements/${reimbursement.id}`))
  const advancement = await made(manager, '/advancements', settled)
  shown.set('advancement', await got(manager, `/advancements/${advancement.id}`))
  shown.set('devolution', await made(manager, '/advancement_devolutions', { ...parties, ...money, date: '2026-01-09' }))
  shown.set('balance', await got(manager, `/advancements/balances/${organization_id}?receiver_id=${member.user_id}&currency=BRL`))
  const card = { name: 'Travel', number: '4111111111111111', expiration_date: '12/30', organization_id, active: true }
  shown.set('corporative_card', await made(member, '/corporative_cards', card))
  shown.set('tag', await made(manager, `/organization/${organization_id}/tags`, { name: 'Board', restricted_user_ids: [1] }))
  shown.set('membership', await got(manager, `/organizations/${organization_id}/members/${member.user_id}`))
  shown.set('distance_rule', (await got(member, `/organizations/${organization_id}/distances_rules`))[0])
  shown.set('preferences', await got(member, '/preferences'))
  shown.set('notification_preferences', await got(member, '/notification_preferences'))
  const hook = { url: 'https://hooks.example.org/outlay', description: 'Books' }
  shown.set('webhook', await made(manager, `/organizations/${organization_id}/integrations/webhooks`, hook))
  shown.set('upload_credentials', await got(member, '/uploads/new'))
})

/** The resource as any of them. */
const resources: ReadonlyArray<readonly [Name, ContractResource]> = Object.entries(contractResources).map(([name, resource]) => [
  z
    .enum(Object.keys(contractResources))
    .transform((key): Name => key as Name)
    .parse(name),
  resource,
])

describe.each(resources)('%s', (name, { section, fields, links }) => {
  test.each(Object.entries(fields))(`${section}: %s is a(n) %s`, (field, kind) => {
    const value: unknown = shown.get(name)[field]
    const isNullable = kind.endsWith('?')
    if (isNullable && value === null) return
    const schema = Object.entries(schemas).find(([known]) => known === kind.replace('?', ''))?.[1]
    expect(schema?.safeParse(value).error?.issues ?? [], `${name}.${field}: ${JSON.stringify(value)}`).toEqual([])
  })
  test(`${section}: its links are as the contract names them`, () => {
    const given: Array<{ rel: string; method: string }> = shown.get(name)._links ?? []
    const named = given.map(({ rel, method }) => `${rel} ${method}`)
    for (const link of links) expect(named).toContain(link)
  })
})

test('2.8: all digits of a card but the last four are asterisks', () => {
  expect(shown.get('corporative_card').number).toBe('************1111')
  expect(shown.get('corporative_card').flag).toEqual({ name: 'Visa', image_url: expect.any(String) })
})

test('2.13: the embedded organization links by url', () => {
  const { organization } = shown.get('membership')
  expect(organization).toMatchObject({
    id: instance.organization_id,
    name: 'Acme',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  for (const link of organization._links)
    expect(link).toEqual({ rel: expect.any(String), method: expect.any(String), url: expect.any(String) })
})

test.each(notificationEvents)('2.18: %s has a switch for e-mail and one for mobile', (event) => {
  const preferences = shown.get('notification_preferences')
  expect([preferences[`email_on_${event}`], preferences[`mobile_on_${event}`]]).toEqual([expect.any(Boolean), expect.any(Boolean)])
})

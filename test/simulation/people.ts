import { Readable } from 'node:stream'
import { recordUpload, toLocation } from '#main/use-cases/uploads/uploads'
import { expenseStatuses } from '#shared/domain/expense-status'
import { accountabilityStatuses } from '#shared/domain/accountability-status'
import type { Random } from './random'
import { type AnyRow, select, selectIds } from './rows'
import type { Site } from './site'

/** A request that a person makes. */
export interface Wish {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Who wishes something, and where they are. */
export interface Wisher {
  readonly site: Site
  readonly user_id: number
  readonly random: Random
  readonly organization_ids: readonly [number, number]
}

type Make = (wisher: Wisher) => Promise<Wish | undefined>

const words = ['taxi', 'hotel', 'lunch', 'fuel', 'paper', 'train']
/** So few that people collide. */
const tagWords = ['Travel', 'Meals', 'Fuel', 'fuel', 'Office', 'Other']
const currencies = ['BRL', 'BRL', 'USD', 'JPY', 'KWD']
const amountIn = (currency: string, random: Random) =>
  currency === 'JPY' ? 1 + random.int(9000) : (1 + random.int(90_000)) / (currency === 'KWD' ? 1000 : 100)
const money = (random: Random) => {
  const currency = random.pick(currencies)
  return { amount: amountIn(currency, random), currency }
}

/** One of the records that are there, oftener the newest: what was just made is what people go on with. */
const live = async ({ site, random }: Wisher, table: string, where = '1'): Promise<AnyRow | undefined> => {
  const rows = await select(site, `SELECT * FROM ${table} WHERE deleted_at IS NULL AND ${where} ORDER BY uid`)
  return random.chance(0.35) ? rows.at(-1) : random.maybe(rows)
}
const payerOf = ({ random, organization_ids: [first, second] }: Wisher) => ({
  id: random.chance(0.85) ? first : second,
  type: 'Organization',
})
const receiverOf = async ({ site, random, organization_ids: [id] }: Wisher) => ({
  id: random.maybe(
    await selectIds(site, `SELECT user_id AS id FROM memberships WHERE organization_id = ${id} AND deleted_at IS NULL ORDER BY id`),
  ),
  type: 'User',
})

const tagNames = async (wisher: Wisher) => {
  const names: string[] = []
  for (let count = wisher.random.int(3); count > 0; count -= 1) {
    const tag = await live(wisher, 'tags')
    if (tag) names.push(String(tag.name))
  }
  return [...new Set(names)]
}

async function upload({ site, user_id, random }: Wisher): Promise<string> {
  const { blobs, clock } = site.deps
  const bytes = Buffer.from(`<r n="${random.int(12)}">${'receipt '.repeat(1 + random.int(40))}</r>`)
  const file = await blobs.receive(Readable.from([bytes]), { maxBytes: 1_000_000 })
  await blobs.keep(file)
  const key = `${user_id}/${clock.secret(8)}/r${random.int(3)}.xml`
  const actor = { user_id, origin: 'api', request_id: null, if_match: null }
  const { sha256, md5, bytes: size } = file
  await site.store.transact(actor, (tx) => recordUpload(tx, { key, sha256, md5, bytes: size, content_type: 'text/xml' }, 86_400))
  return toLocation('http://localhost', key)
}

/** Everything that people do, and how often. */
const wishes: Readonly<Record<string, { readonly weight: number; readonly make: Make }>> = {
  'record an expense': {
    weight: 14,
    make: async (wisher) => ({
      method: 'POST',
      path: '/expenses',
      body: {
        payer: payerOf(wisher),
        ...money(wisher.random),
        occurred_at: '2026-03-04',
        description: wisher.random.pick(words),
        tags: await tagNames(wisher),
        liquidate_through_advancement: wisher.random.chance(0.3),
      },
    }),
  },
  'edit an expense': {
    weight: 16,
    make: async (wisher) => {
      const expense = await live(wisher, 'expenses')
      const { random } = wisher
      return (
        expense && {
          method: 'PATCH',
          path: `/expenses/${expense.id}`,
          body: {
            ...(random.chance(0.5) ? { description: random.pick(words) } : {}),
            ...(random.chance(0.4) ? money(random) : {}),
            ...(random.chance(0.2) ? { amount: 1 + random.int(50) } : {}),
            ...(random.chance(0.15) ? { currency: random.pick(['BRL', 'USD']) } : {}),
            ...(random.chance(0.3) ? { tags: await tagNames(wisher) } : {}),
            ...(random.chance(0.1) ? { location: random.pick(words) } : {}),
          },
        }
      )
    },
  },
  comment: {
    weight: 10,
    make: async (wisher) => {
      const { random } = wisher
      const [table, path] = random.pick([
        ['expenses', 'expenses'],
        ['expenses', 'expenses'],
        ['reimbursements', 'reimbursements'],
        ['advancements', 'advancements'],
      ] as const)
      const parent = await live(wisher, table)
      const content = random.pick(['ok', 'why?', 'see @mel.doe', '@max.doe please', '@tom.doe'])
      return parent && { method: 'POST', path: `/${path}/${parent.id}/comments`, body: { content } }
    },
  },
  'change a comment': {
    weight: 4,
    make: async (wisher) => {
      const comment = await live(wisher, 'comments', `user_id = ${wisher.user_id} AND expense_id IS NOT NULL`)
      if (!comment) return undefined
      const path = `/expenses/${comment.expense_id}/comments/${comment.id}`
      return wisher.random.chance(0.5) ? { method: 'PUT', path, body: { content: wisher.random.pick(words) } } : { method: 'DELETE', path }
    },
  },
  attach: {
    weight: 8,
    make: async (wisher) => {
      const expense = await live(wisher, 'expenses', `receiver_id = ${wisher.user_id}`)
      return expense && { method: 'POST', path: `/expenses/${expense.id}/attachments`, body: { file: await upload(wisher) } }
    },
  },
  'change an attachment': {
    weight: 3,
    make: async (wisher) => {
      const attachment = await live(wisher, 'attachments')
      if (!attachment) return undefined
      const path = `/expenses/${attachment.expense_id}/attachments/${attachment.id}`
      return wisher.random.chance(0.5)
        ? { method: 'PATCH', path, body: { description: wisher.random.pick(words) } }
        : { method: 'DELETE', path }
    },
  },
  'move an expense': {
    weight: 18,
    make: async (wisher) => {
      const expense = await live(wisher, 'expenses')
      if (!expense) return undefined
      const { random } = wisher
      const status = random.chance(0.5) ? random.pick(['approved', 'liquidated'] as const) : random.pick(expenseStatuses)
      const currency = String(expense.currency)
      const approved = { approved_amount: amountIn(currency, random), approved_amount_currency: currency }
      return { method: 'PUT', path: `/expenses/${expense.id}/status`, body: { status, ...approved } }
    },
  },
  'delete an expense': {
    weight: 4,
    make: async (wisher) => {
      const expense = await live(wisher, 'expenses')
      return expense && { method: 'DELETE', path: `/expenses/${expense.id}` }
    },
  },
  reimburse: {
    weight: 6,
    make: async (wisher) => {
      const receiver = await receiverOf(wisher)
      const { site, random, organization_ids } = wisher
      const expense_ids = await selectIds(
        site,
        `SELECT id FROM expenses WHERE deleted_at IS NULL AND receiver_id = ${receiver.id ?? 0} AND status = 'approved'
         AND payer_id = ${organization_ids[0]} AND reimbursement_id IS NULL ORDER BY uid`,
      )
      return {
        method: 'POST',
        path: '/reimbursements',
        body: {
          payer: { id: organization_ids[0], type: 'Organization' },
          receiver,
          ...money(random),
          date: '2026-03-05',
          expense_ids: expense_ids.slice(0, random.int(4)),
        },
      }
    },
  },
  'change a reimbursement': {
    weight: 3,
    make: async (wisher) => {
      const one = await live(wisher, 'reimbursements')
      if (!one) return undefined
      return wisher.random.chance(0.4)
        ? { method: 'DELETE', path: `/reimbursements/${one.id}` }
        : { method: 'PATCH', path: `/reimbursements/${one.id}`, body: { description: wisher.random.pick(words) } }
    },
  },
  advance: {
    weight: 4,
    make: async (wisher) => ({
      method: 'POST',
      path: wisher.random.chance(0.7) ? '/advancements' : '/advancement_devolutions',
      body: {
        payer: { id: wisher.organization_ids[0], type: 'Organization' },
        receiver: await receiverOf(wisher),
        ...money(wisher.random),
        date: '2026-03-05',
      },
    }),
  },
  'change an advance': {
    weight: 3,
    make: async (wisher) => {
      const one = await live(wisher, 'advancements')
      if (!one) return undefined
      return wisher.random.chance(0.4)
        ? { method: 'DELETE', path: `/advancements/${one.id}` }
        : { method: 'PATCH', path: `/advancements/${one.id}`, body: money(wisher.random) }
    },
  },
  account: {
    weight: 4,
    make: async (wisher) => {
      const receiver = await receiverOf(wisher)
      const { site, random, organization_ids } = wisher
      const expense_ids = await selectIds(
        site,
        `SELECT id FROM expenses WHERE deleted_at IS NULL AND receiver_id = ${receiver.id ?? 0} AND status <> 'liquidated'
         AND payer_id = ${organization_ids[0]} AND id NOT IN (SELECT expense_id FROM accountability_expenses) ORDER BY uid`,
      )
      const payer = { id: organization_ids[0], type: 'Organization' }
      return {
        method: 'POST',
        path: '/accountabilities',
        body: { title: random.pick(words), payer, receiver, expense_ids: expense_ids.slice(0, random.int(4)) },
      }
    },
  },
  'move an accountability': {
    weight: 8,
    make: async (wisher) => {
      const one = await live(wisher, 'accountabilities')
      if (!one) return undefined
      const { random } = wisher
      if (random.chance(0.1)) return { method: 'DELETE', path: `/accountability/${one.id}` }
      if (random.chance(0.15)) return { method: 'PATCH', path: `/accountability/${one.id}`, body: { title: random.pick(words) } }
      const at = accountabilityStatuses.findIndex((status) => status === one.status)
      const status = random.chance(0.8) ? (accountabilityStatuses[at + 1] ?? 'finished') : random.pick(accountabilityStatuses)
      return { method: 'PUT', path: `/accountability/${one.id}/status`, body: { status } }
    },
  },
  'make a tag': {
    weight: 5,
    make: async ({ random, organization_ids: [id] }) => ({
      method: 'POST',
      path: `/organizations/${id}/tags`,
      body: { name: random.pick(tagWords) },
    }),
  },
  'change a tag': {
    weight: 4,
    make: async (wisher) => {
      const tag = await live(wisher, 'tags')
      if (!tag) return undefined
      const path = `/organizations/${tag.organization_id}/tags/${tag.id}`
      const { random } = wisher
      return random.chance(0.4) ? { method: 'DELETE', path } : { method: 'PATCH', path, body: { name: random.pick(tagWords) } }
    },
  },
}
const weights = Object.fromEntries(Object.entries(wishes).map(([name, { weight }]) => [name, weight]))

/** What a person wants to do next; nothing where there is nothing to do it to. */
export async function wish(wisher: Wisher): Promise<Wish | undefined> {
  return wishes[wisher.random.weighed(weights)]?.make(wisher)
}

import { describe, expect, test } from 'vitest'
import { findNewestActivityId } from '#main/store/queues/notification-queue'
import { createExpense } from '#main/use-cases/expenses/create-expense'
import { notificationEvents } from '#shared/domain/notification-events'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { notifiedSince, untilNotified } from '#test/support/notifications'
import { pngFile } from '#test/support/sample-files'
import { newMoney } from '#test/support/settlements'
import { uploadFile } from '#test/support/upload'

let expense: Json
let comment: Json
let attachment: Json
let reimbursement: Json
let advancement: Json
/** Recipients are computed a tenth of this after a commit. No mail server is set: nothing is sent. */
const digestMs = 200

const instance = await instanceOfFile({ settings: { OUTLAY_MAIL_DIGEST_MS: digestMs, OUTLAY_WEBHOOK_ALLOW_PRIVATE: true } })
const pat = await instance.addUser('Pat Participant', 'member')

type Name = 'admin' | 'manager' | 'analyst' | 'member' | 'stranger' | 'pat'
const personOf = (name: Name): Person => (name === 'pat' ? pat : instance[name])
const namesOf = (told: readonly string[]): string[] => {
  const names: Name[] = ['admin', 'manager', 'analyst', 'member', 'stranger', 'pat']
  return told.map((one) => names.find((name) => one === `${personOf(name).user_id} email`) ?? one).toSorted()
}

async function send(by: Name, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await personOf(by).api.send(method, path, body)
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return response.body
}
const members = () => `/organizations/${instance.organization_id}/members`

/** What each of the events of the contract (2.18) is made by, in an order in which each can happen, and who is told. */
const steps: ReadonlyArray<{ event: string; when: string; act: () => Promise<void>; told: readonly Name[] }> = [
  {
    event: 'expense_created',
    when: 'an analyst records an expense for a member',
    act: async () => {
      const receiver = { id: instance.member.user_id, type: 'User' }
      expense = await recordExpense(instance, instance.analyst, { receiver, description: 'Taxi' })
    },
    told: ['member'],
  },
  {
    event: 'expense_status_changed',
    when: 'a manager begins the analysis, which makes them responsible',
    act: async () => void (await moveExpense(instance.manager, expense.id, { status: 'analyzing' })),
    told: ['analyst', 'member'],
  },
  {
    event: 'comment_created',
    when: 'the receiver mentions someone',
    act: async () => {
      comment = await send('member', 'POST', `/expenses/${expense.id}/comments`, { content: 'See @patparticipant' })
    },
    told: ['analyst', 'manager', 'pat'],
  },
  {
    event: 'comment_updated',
    when: 'the comment is changed',
    act: async () => void (await send('member', 'PUT', `/expenses/${expense.id}/comments/${comment.id}`, { content: 'Look' })),
    told: ['analyst', 'manager', 'pat'],
  },
  {
    event: 'comment_destroyed',
    when: 'an admin deletes the comment',
    act: async () => void (await send('admin', 'DELETE', `/expenses/${expense.id}/comments/${comment.id}`)),
    told: ['analyst', 'manager', 'member', 'pat'],
  },
  {
    event: 'attachment_created',
    when: 'the analyst attaches a receipt',
    act: async () => {
      const file = await uploadFile(instance.analyst, await pngFile())
      attachment = await send('analyst', 'POST', `/expenses/${expense.id}/attachments`, { file })
    },
    told: ['manager', 'member', 'pat'],
  },
  {
    event: 'attachment_destroyed',
    when: 'the analyst deletes the receipt',
    act: async () => void (await send('analyst', 'DELETE', `/expenses/${expense.id}/attachments/${attachment.id}`)),
    told: ['manager', 'member', 'pat'],
  },
  {
    event: 'expense_updated',
    when: 'the manager changes the expense',
    act: async () => void (await send('manager', 'PATCH', `/expenses/${expense.id}`, { description: 'Taxi to the airport' })),
    told: ['analyst', 'member', 'pat'],
  },
  {
    event: 'expense_destroyed',
    when: 'the manager deletes the expense',
    act: async () => void (await send('manager', 'DELETE', `/expenses/${expense.id}`)),
    told: ['analyst', 'member', 'pat'],
  },
  {
    event: 'reimbursement_created',
    when: 'a manager pays a member',
    act: async () => {
      reimbursement = await send('manager', 'POST', '/reimbursements', newMoney(instance, { amount: 10 }))
    },
    told: ['member'],
  },
  {
    event: 'comment_created',
    when: 'the receiver comments on the reimbursement',
    act: async () => void (await send('member', 'POST', `/reimbursements/${reimbursement.id}/comments`, { content: 'Thanks' })),
    told: ['manager'],
  },
  {
    event: 'reimbursement_updated',
    when: 'an admin changes the reimbursement',
    act: async () => void (await send('admin', 'PATCH', `/reimbursements/${reimbursement.id}`, { description: 'March' })),
    told: ['member'],
  },
  {
    event: 'reimbursement_destroyed',
    when: 'an admin deletes the reimbursement',
    act: async () => void (await send('admin', 'DELETE', `/reimbursements/${reimbursement.id}`)),
    told: ['member'],
  },
  {
    event: 'advancement_created',
    when: 'a manager hands out money',
    act: async () => {
      advancement = await send('manager', 'POST', '/advancements', newMoney(instance, { amount: 100 }))
    },
    told: ['member'],
  },
  {
    event: 'advancement_updated',
    when: 'a manager changes the advancement',
    act: async () => void (await send('manager', 'PATCH', `/advancements/${advancement.id}`, { description: 'Trip' })),
    told: ['member'],
  },
  {
    event: 'advancement_devolution_created',
    when: 'some of it is given back',
    act: async () => void (await send('manager', 'POST', '/advancement_devolutions', newMoney(instance, { amount: 5 }))),
    told: ['member'],
  },
  {
    event: 'advancement_destroyed',
    when: 'a manager deletes the advancement',
    act: async () => void (await send('manager', 'DELETE', `/advancements/${advancement.id}`)),
    told: ['member'],
  },
  {
    event: 'organization_add_member',
    when: 'an analyst adds someone who has an account',
    act: async () => void (await send('analyst', 'POST', members(), { user: { email: 'sam.stranger@example.org' }, role: 'member' })),
    told: ['admin', 'stranger'],
  },
  {
    event: 'organization_role_changed',
    when: 'an admin changes the role',
    act: async () => void (await send('admin', 'PUT', `${members()}/${instance.stranger.user_id}`, { role: 'analyst' })),
    told: ['stranger'],
  },
  {
    event: 'organization_remove_member',
    when: 'a manager removes the member',
    act: async () => void (await send('manager', 'DELETE', `${members()}/${instance.stranger.user_id}`)),
    told: ['admin', 'stranger'],
  },
  {
    event: 'organization_left',
    when: 'a participant leaves the organization',
    act: async () => void (await send('pat', 'DELETE', members())),
    told: ['admin'],
  },
]

describe('who is notified', () => {
  test.each(steps)('$event: $when', async ({ event, act, told }) => {
    const { reader } = instance.app.store
    const before = await findNewestActivityId(reader)
    await act()
    expect(namesOf(await notifiedSince(instance, before, event))).toEqual(told.toSorted())
  })

  test('every event of the contract was tried', () => {
    expect(new Set(steps.map(({ event }) => event))).toEqual(new Set(notificationEvents))
  })
})

describe('nobody is notified', () => {
  test('of what has no switch', async () => {
    const before = await findNewestActivityId(instance.app.store.reader)
    await send('manager', 'POST', `/organizations/${instance.organization_id}/tags`, { name: 'Travel' })
    expect(await notifiedSince(instance, before, 'tag_created')).toEqual([])
  })

  test.each(['cli', 'demo', 'import'])('of what came in by %s', async (origin) => {
    const { store } = instance.app
    const before = await findNewestActivityId(store.reader)
    const actor = { user_id: instance.admin.user_id, origin, request_id: null, if_match: null }
    await store.transact(actor, (tx) =>
      createExpense(tx, {
        payer: instance.organization_id,
        receiver: instance.member.user_id,
        amount: 5,
        currency: 'BRL',
        occurred_at: '2026-03-04T00:00:00Z',
        tags: [],
      }),
    )
    expect(await notifiedSince(instance, before, 'expense_created')).toEqual([])
  })

  test('who switched it off', async () => {
    await send('member', 'PATCH', '/notifications', { email_on_expense_created: false })
    const before = await findNewestActivityId(instance.app.store.reader)
    const receiver = { id: instance.member.user_id, type: 'User' }
    const made = await recordExpense(instance, instance.analyst, { receiver })
    expect(await notifiedSince(instance, before, 'expense_created')).toEqual([])
    await send('analyst', 'PATCH', `/expenses/${made.id}`, { description: 'Bus' })
    expect(namesOf(await notifiedSince(instance, before, 'expense_updated'))).toEqual(['member'])
  })

  test('who has left the organization, not even of what they receive', async () => {
    const leaving = await instance.addUser('Lea Leaving', 'member')
    const made = await recordExpense(instance, instance.analyst, { receiver: { id: leaving.user_id, type: 'User' } })
    expect((await leaving.api.send('DELETE', members())).status).toBe(204)
    await untilNotified(instance)
    const before = await findNewestActivityId(instance.app.store.reader)
    await send('manager', 'POST', `/expenses/${made.id}/comments`, { content: 'Where is the ticket?' })
    expect(namesOf(await notifiedSince(instance, before, 'comment_created'))).toEqual(['analyst'])
    expect((await leaving.api.get(`/expenses/${made.id}/comments`)).body.count).toBe(1)
  })

  test('who takes part no longer', async () => {
    const receiver = { id: instance.member.user_id, type: 'User' }
    const made = await recordExpense(instance, instance.analyst, { receiver })
    const outsider = await instance.addUser('Ola Other', 'analyst')
    await outsider.api.send('POST', `/expenses/${made.id}/comments`, { content: 'Mine too' })
    await send('admin', 'DELETE', `${members()}/${outsider.user_id}`)
    await untilNotified(instance)
    const before = await findNewestActivityId(instance.app.store.reader)
    await send('analyst', 'PATCH', `/expenses/${made.id}`, { description: 'Train' })
    expect(namesOf(await notifiedSince(instance, before, 'expense_updated'))).toEqual(['member'])
  })
})

test('each of a person’s devices is notified, as the mobile switches say', async () => {
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  for (const name of ['one', 'two']) await send('analyst', 'POST', '/devices', { name, endpoint: `http://127.0.0.1:9/${name}`, keys })
  await send('analyst', 'PATCH', '/notifications', { email_on_expense_updated: false })
  const before = await findNewestActivityId(instance.app.store.reader)
  const made = await recordExpense(instance, instance.analyst, { receiver: { id: instance.member.user_id, type: 'User' } })
  await send('manager', 'PATCH', `/expenses/${made.id}`, { description: 'Ferry' })
  const { user_id } = instance.analyst
  expect(await notifiedSince(instance, before, 'expense_updated')).toEqual(
    [`${user_id} mobile`, `${user_id} mobile`, `${instance.member.user_id} email`].toSorted(),
  )
  await send('analyst', 'PATCH', '/notifications', { mobile_on_expense_updated: 0 })
  await send('manager', 'PATCH', `/expenses/${made.id}`, { description: 'Boat' })
  expect(await notifiedSince(instance, before, 'expense_updated')).toHaveLength(4)
})

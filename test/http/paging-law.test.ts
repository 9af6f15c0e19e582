import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { insertExpense, deleteExpense } from '#main/store/records/expenses/expense-writer'
import { insertComment } from '#main/store/records/conversations/comments'
import { insertTag } from '#main/store/records/organizations/tag-writer'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import type { Tx } from '#main/store/core/store'
import { plainValues } from '#main/use-cases/expenses/create-expense'
import { createToken } from '#main/use-cases/users/tokens'
import { inForm } from '#test/support/form'
import type { ApiResponse, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

/** What a row is made from, where its list is ordered by more than its age. */
interface Draft {
  readonly amount_minor: number
  readonly description: string | null
}

/** A list of one person's, and how its rows come and go meanwhile; rows are told by their ids. */
interface Growing {
  readonly path: string
  add(draft: Draft): Promise<unknown>
  remove?(id: number): Promise<unknown>
}

function write<T>(person: Person, work: (tx: Tx) => Promise<T> | T): Promise<T> {
  const actor = { user_id: person.user_id, origin: 'test', request_id: null, if_match: null }
  return instance.app.store.transact(actor, async (tx) => work(tx))
}

function addExpense({ user_id }: Person, tx: Tx, { amount_minor, description }: Draft) {
  return insertExpense(
    tx,
    {
      ...plainValues({ occurred_at: '2026-03-04T00:00:00Z', description }),
      payer_id: instance.organization_id,
      receiver_id: user_id,
      author_id: user_id,
      amount_minor,
      amount_scaled: amount_minor * 100,
      currency: 'BRL',
    },
    [],
  )
}

const expensesBy =
  (sort: string) =>
  async (person: Person): Promise<Growing> => ({
    path: `/expenses?${sort}`,
    add: (draft) => write(person, (tx) => addExpense(person, tx, draft)),
    remove: (id) =>
      write(person, async (tx) => {
        const row = await tx.db.selectFrom('expenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        await deleteExpense(tx, row)
      }),
  })

const lists: Record<string, (person: Person) => Promise<Growing>> = {
  'expenses, the newest first': expensesBy(''),
  'expenses by amount': expensesBy('sort=amount'),
  'expenses by description, which some lack': expensesBy('sort=description,-amount'),
  'expenses by description backwards': expensesBy('sort=-description'),
  comments: async (person) => {
    const expense = await write(person, (tx) => addExpense(person, tx, { amount_minor: 100, description: null }))
    const followable = { kind: 'expense', id: expense.id, organization_id: expense.payer_id, receiver_id: person.user_id } as const
    const add = () => write(person, (tx) => insertComment(tx, followable, { content: 'Hello', mentioned_ids: [] }))
    return { path: `/expenses/${expense.id}/comments?`, add }
  },
  activities: async (person) => {
    const subject = { type: 'User', id: person.user_id } as const
    const add = () => write(person, (tx) => recordActivity(tx, { organization_id: null, subject, event: 'api_token_created' }))
    return { path: '/activities?', add }
  },
  tokens: async (person) => ({
    path: '/user/tokens?',
    add: () => write(person, (tx) => createToken(tx, { user_id: person.user_id, description: 'test' })),
  }),
  'tags by name': async (person) => {
    let count = 0
    const organization_id = instance.organization_id
    const add = ({ amount_minor }: Draft) =>
      write(person, (tx) => insertTag(tx, { organization_id, name: `${amount_minor} ${person.user_id} ${(count += 1)}`, group_name: null }))
    return { path: `/organizations/${organization_id}/tags?sort=name`, add }
  },
}

const idsOf = (body: Json): number[] => {
  const rows: Json = Object.values(body).find((value) => Array.isArray(value))
  return rows.map(({ id }: Json) => id)
}

/** The ids of a list, page by page as `Link` leads, while `meanwhile` happens between two pages. */
async function follow(person: Person, first: string, meanwhile: (visited: readonly number[]) => Promise<void>): Promise<number[]> {
  const visited: number[] = []
  for (let next: string | undefined = first; next !== undefined;) {
    const { body, headers }: ApiResponse<Json> = await person.api.get(next)
    visited.push(...idsOf(body))
    await meanwhile(visited)
    next = /<[^>]*\/api\/v1([^>]*)>; rel=next/.exec(headers.get('link') ?? '')?.[1]
  }
  return visited
}

const draft = fc.record({ amount_minor: fc.integer({ min: 1, max: 5 }), description: fc.constantFrom(null, 'a', 'b', 'B', 'ä') })
/** What happens after a page: rows that are added, and how far back one that was visited is deleted. */
const change = fc.record({ added: fc.array(draft, { maxLength: 3 }), deleted: fc.option(fc.nat(50)) })

describe.each(Object.keys(lists))('%s', (name) => {
  test('visit every row that stays exactly once, whatever is added and deleted meanwhile', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { maxLength: 14 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(change, { maxLength: 4 }),
        async (drafts, perPage, changes) => {
          const person = await instance.addUser(`${name} ${(run += 1)}`, 'member')
          const list = await lists[name]?.(person)
          if (!list) throw new Error(`There is no list ${name}`)
          for (const one of drafts) await list.add(one)
          const before = await follow(person, `${list.path}&per_page=100`, () => Promise.resolve())
          const gone = new Set<number>()
          const left = [...changes]
          const visited = await follow(person, `${list.path}&per_page=${perPage}`, async (ids) => {
            const { added, deleted } = left.shift() ?? { added: [], deleted: null }
            for (const one of added) await list.add(one)
            const id = deleted === null ? undefined : [...before, ...ids][deleted]
            if (!list.remove || id === undefined || gone.has(id)) return
            gone.add(id)
            await list.remove(id)
          })
          expect(new Set(visited).size).toBe(visited.length)
          expect(new Set(before).difference(gone).difference(new Set(visited))).toEqual(new Set())
          const known = new Set(before)
          const visitedBefore = visited.filter((id) => known.has(id))
          expect(visitedBefore).toEqual(before.filter((id) => visitedBefore.includes(id)))
          if (changes.length === 0) expect(visited).toEqual(before)
        },
      ),
      { numRuns: inForm(6, 20) },
    )
  })
})

import { moveExpense, recordExpense } from '../expenses'
import { type Api, type ApiResponse, type Instance, type Json, apiOf } from '../instance'

type Ask = (api: Api, index: number, address: string) => Promise<ApiResponse<Json>>

/** An instance, and several servers on its database. */
export interface Race {
  readonly instance: Instance
  /** Asks all servers at once, each in turn one of them; answers what they responded. */
  readonly all: (count: number, ask: Ask) => Promise<Array<ApiResponse<Json>>>
  readonly query: (text: string) => Promise<Json[]>
}

export const statuses = (responses: ReadonlyArray<ApiResponse>) => responses.map(({ status }) => status)
export const count = (all: readonly number[], wanted: number) => all.filter((one) => one === wanted).length

/** Each rule answers whether it held; the last one takes the role of admin from the instance's own. */
export const raceRules: Readonly<Record<string, (race: Race) => Promise<boolean>>> = {
  'counters count every comment': async ({ instance, all, query }) => {
    const expense = await recordExpense(instance, instance.member)
    const responses = await all(48, (api) => api.send('POST', `/expenses/${expense.id}/comments`, { content: 'Hello' }))
    const [row] = await query(`SELECT comments_count::int AS n, version::int AS version FROM expenses WHERE id = ${expense.id}`)
    return count(statuses(responses), 201) === 48 && row.n === 48 && row.version === 49
  },
  'an expense takes one of several contradicting moves': async ({ instance, all, query }) => {
    let held = true
    for (let turn = 0; turn < 6; turn += 1) {
      const expense = await recordExpense(instance, instance.member)
      const moves = ['approved', 'rejected', 'pending', 'noncompliant']
      const etag = (await instance.admin.api.get(`/expenses/${expense.id}`)).headers.get('etag') ?? ''
      const responses = await all(16, (api, index) =>
        api.send('PUT', `/expenses/${expense.id}/status`, { status: moves[index % moves.length], comment: 'So' }, { 'if-match': etag }),
      )
      const told = await query(
        `SELECT count(*)::int AS n FROM activities WHERE subject_type = 'Expense' AND subject_id = ${expense.id} AND event = 'expense_status_changed'`,
      )
      held &&= count(statuses(responses), 200) === 1 && told[0].n === 1
    }
    return held
  },
  'an expense is settled once': async ({ instance, all, query }) => {
    let held = true
    for (let turn = 0; turn < 4; turn += 1) {
      const expense = await recordExpense(instance, instance.member)
      await moveExpense(instance.admin, expense.id, { status: 'approved', approved_amount: 12.5 })
      await all(16, (api) => api.send('PUT', `/expenses/${expense.id}/status`, { status: 'liquidated' }))
      const moves = await query(
        `SELECT count(*)::int AS n FROM activities WHERE subject_type = 'Expense' AND subject_id = ${expense.id} AND details LIKE '%"to":"liquidated"%'`,
      )
      held &&= moves[0].n === 1
    }
    return held
  },
  'a key is answered once': async ({ instance, all, query }) => {
    const body = { payer: { id: instance.organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04' }
    const [before] = await query('SELECT count(*)::int AS n FROM expenses')
    const responses = await all(32, (api) => api.send('POST', '/expenses', body, { 'idempotency-key': 'the same' }))
    const [after] = await query('SELECT count(*)::int AS n FROM expenses')
    return after.n - before.n === 1 && statuses(responses).every((status) => status === 201 || status === 409)
  },
  'a tag has its name alone': async ({ instance, all, query }) => {
    const responses = await all(32, (api) => api.send('POST', `/organizations/${instance.organization_id}/tags`, { name: 'Travel' }))
    const [found] = await query(`SELECT count(*)::int AS n FROM tags WHERE name_key = 'travel' AND deleted_at IS NULL`)
    // The index alone would keep it so: only who looks first can say why.
    return found.n === 1 && !statuses(responses).includes(500)
  },
  'every change is in the log in the order of commits': async ({ instance, all, query }) => {
    const [start] = await query('SELECT max(seq)::int AS seq FROM change_log')
    const seen: number[] = []
    const read = async () => {
      const after = seen.at(-1) ?? start.seq
      seen.push(...(await query(`SELECT seq::int AS seq FROM change_log WHERE seq > ${after} ORDER BY seq`)).map(({ seq }: Json) => seq))
    }
    let over = false
    const reading = (async () => {
      while (!over) await read()
    })()
    const body = { payer: { id: instance.organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04' }
    for (let turn = 0; turn < 6; turn += 1) await all(32, (api) => api.send('POST', '/expenses', body))
    over = true
    await reading
    await read()
    const [found] = await query(`SELECT count(*)::int AS n FROM change_log WHERE seq > ${start.seq}`)
    return seen.length === found.n
  },
  'an organization keeps an admin': async ({ instance, all, query }) => {
    const others = await Promise.all(Array.from({ length: 15 }, (_, index) => instance.addUser(`Admin ${index}`, 'admin')))
    const admins = [instance.admin, ...others]
    // Each takes the role of admin from itself.
    await all(admins.length, (_api, index, address) => {
      const { token, user_id } = admins[index] ?? instance.admin
      return apiOf(address, token).send('PUT', `/organizations/${instance.organization_id}/members/${user_id}`, { role: 'member' })
    })
    const [left] = await query(
      `SELECT count(*)::int AS n FROM memberships WHERE role = 'admin' AND deleted_at IS NULL AND organization_id = ${instance.organization_id}`,
    )
    return left.n === 1
  },
}

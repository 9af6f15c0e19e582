import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { App, AppConfig } from '#main/app'
import { createApp, createLog } from '#main/app'
import type { Clock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { openRaw } from '#test/support/databases/raw'
import { type Api, type Json, apiOf, testSettings } from '#test/support/instance'
import { xmlFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

/** A replica in this process. */
export interface ReplicaInstance {
  readonly app: App
  readonly folder: string
  readonly url: string
  readonly api: Api
  /** One exchange with the remote. */
  sync(): ReturnType<App['replica']['sync']>
  /** How it stands with the remote, as `GET /replica` says it. */
  state(): Promise<ReplicaState>
  remove(): Promise<void>
}

export interface ReplicaOptions extends Pick<AppConfig, 'transportTo'> {
  /** Where the remote is reached. */
  readonly url: string
  readonly token: string
  readonly clock?: Clock
}

/** Starts an instance that is a replica; it exchanges when it is told to. */
export async function startReplica({ url: remote, token, clock, transportTo }: ReplicaOptions): Promise<ReplicaInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-replica-'))
  await placeMigrated(folder)
  const settings = testSettings(folder)
  const app = await createApp({ data_folder: folder, settings, web_folder: null, clock, log: createLog(settings), transportTo })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const outcome = await app.replica.connect({ url: remote, token })
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  const api = apiOf(url, token)
  return {
    app,
    folder,
    url,
    api,
    sync: () => app.replica.sync(),
    state: async () => (await api.get<ReplicaState>('/replica')).body,
    remove: async () => {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Serves a folder in this process; `hosts` are names it answers for beside its own. */
export async function serveFolder(folder: string, hosts: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const settings = testSettings(folder, { OUTLAY_ALLOWED_HOSTS: [...hosts] })
  const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
  return { url: await app.server.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

/** What is compared of the two sides: everything that people make and that an administrator sees. */
const compared = ['expenses', 'comments', 'attachments', 'participants', 'tags', 'reimbursements', 'advancements'] as const
const linked = ['expense_tags'] as const

/** The rows of a data folder as its database holds them, by table and key: what must be the same on both sides. */
export async function readRows(folder: string): Promise<Record<string, Record<string, unknown>>> {
  const db = await openRaw({ folder }, { readonly: true })
  try {
    const read = async (table: string, condition: string, keyOf: (row: Json) => string) => {
      const rows = (await db.all(`SELECT * FROM ${table} ${condition}`)).map((row): [string, unknown] => [keyOf(row), row])
      return [table, Object.fromEntries(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)))] as const
    }
    const tables = []
    for (const table of compared) tables.push(await read(table, 'WHERE deleted_at IS NULL', ({ uid }) => String(uid)))
    for (const table of linked) tables.push(await read(table, '', (row) => JSON.stringify(row)))
    return Object.fromEntries(tables)
  } finally {
    await db.close()
  }
}

/** How many operations of a replica are in each state. */
export function countStates(folder: string): Record<string, number> {
  const db = new Database(join(folder, 'outlay.db'), { readonly: true })
  try {
    const rows = db.prepare<[], { state: string; count: number }>('SELECT state, count(*) AS count FROM sync_journal GROUP BY state').all()
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  } finally {
    db.close()
  }
}

/** What an expense is made of in these tests; all of it is found again by the name. */
export interface Entered {
  readonly uid: string
  readonly id: number
  readonly name: string
}

/** Enters an expense with a comment and a receipt, and corrects it: operations that name one another. */
export async function enterExpense(api: Api, { organization_id, name }: { organization_id: number; name: string }): Promise<Entered> {
  const send = async (method: string, path: string, body: unknown) => {
    const response = await api.send(method, path, body)
    if (response.status >= 300) throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(response.body)}`)
    return response.body
  }
  const payer = { id: organization_id, type: 'Organization' }
  const { id, uid } = await send('POST', '/expenses', { payer, amount: 12.5, occurred_at: '2026-03-04', description: 'draft' })
  await send('POST', `/expenses/${id}/comments`, { content: `about ${name}` })
  await send('PATCH', `/expenses/${id}`, { description: name, tags: `tag-${name}` })
  const location = await uploadFile({ api }, xmlFile({ name: `${name}.xml`, id: name }))
  await send('POST', `/expenses/${id}/attachments`, { file: location })
  return { uid, id, name }
}

/** What became of an entered expense in a folder: one of each, and the file as long as it was. */
export async function findEntered(folder: string, { uid, name }: Pick<Entered, 'uid' | 'name'>) {
  const db = await openRaw({ folder }, { readonly: true })
  try {
    const [found, ...more] = await db.all(`SELECT id, uid, comments_count, attachments_count FROM expenses WHERE description = '${name}'`)
    if (!found || more.length > 0) return { found: found ? more.length + 1 : 0 }
    const { id, comments_count, attachments_count } = found
    const listed = async (text: string): Promise<string> => (await db.all(text)).map(({ one }) => String(one)).join()
    const comments = await listed(`SELECT content AS one FROM comments WHERE expense_id = ${id} AND deleted_at IS NULL`)
    const tags = await listed(`SELECT t.name AS one FROM expense_tags x JOIN tags t ON t.id = x.tag_id WHERE x.expense_id = ${id}`)
    const files = await listed(`SELECT sha256 AS one FROM attachments WHERE expense_id = ${id} AND deleted_at IS NULL`)
    const blobs = createBlobStore(folder, { randomId: () => 'unused' })
    const file = files === '' ? 'none' : (await blobs.verify(files)).kind
    return { found: 1, isSame: found.uid === uid, comments, tags, counts: `${comments_count}/${attachments_count}`, file }
  } finally {
    await db.close()
  }
}

/** What {@link findEntered} finds where all is as it was entered. */
export function whole({ name }: Pick<Entered, 'name'>) {
  return { found: 1, isSame: true, comments: `about ${name}`, tags: `tag-${name}`, counts: '1/1', file: 'intact' }
}

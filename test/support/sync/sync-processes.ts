import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, initFolder, runProgram, startProgram } from '../built-program'
import { type BuiltServer, clientOf, runBuilt, startBuilt } from '../built-server'
import { type FaultyProxy, startProxy } from './faulty-proxy'
import { placeMigrated } from '../databases/migrated-file'
import { isLong } from '../form'
import type { Api } from '../instance'
import { xmlFile } from '../sample-files'
import { uploadFile } from '../upload'

/** A remote in a process of its own that may be killed: reached at one address, however often it starts. */
export interface RemoteProcess {
  readonly folder: string
  readonly organization_id: number
  /** Of the user whose replicas are made. */
  readonly token: string
  /** Of another, who works at the remote. */
  readonly other_token: string
  readonly proxy: FaultyProxy
  api(): Api
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Makes a remote with so many expenses, and serves it. */
export async function startRemote(expenses: number): Promise<RemoteProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-kill-remote-'))
  const { token, organization_id } = await initFolder(folder)
  const made = { name: 'Max Manager', email: 'max@example.org', role: 'manager' }
  const flags = Object.entries(made).flatMap(([name, value]) => [`--${name}`, value])
  const { token: other_token } = await runBuilt<{ token: string }>(
    ...['user', 'add', '--data', folder, '--organization', String(organization_id), ...flags],
  )
  const rows = Array.from({ length: expenses }, (_, index) => `Max Manager,2026-01-02,${index + 1}.50,BRL,imported ${index}`)
  const file = join(folder, 'expenses.csv')
  await writeFile(file, ['Employee,Date,Amount,Currency,Description', ...rows].join('\n'))
  const { code, stderr } = await runProgram(...['import', 'expenses', file, '--organization', String(organization_id), '--data', folder])
  if (code !== 0) throw new Error(stderr)
  const proxy = await startProxy()
  let server: BuiltServer
  const start = async () => {
    server = await startBuilt(folder, { OUTLAY_ALLOWED_HOSTS: proxy.host })
    proxy.retarget(server.url)
  }
  await start()
  return {
    folder,
    organization_id,
    token,
    other_token,
    proxy,
    api: () => clientOf(server, other_token).api,
    kill: () => server.kill(),
    start,
    remove: async () => {
      await server.kill()
      await proxy.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A folder that is a replica, and the process that serves it to its user; exchanges are processes of their own. */
export interface ReplicaProcess {
  readonly folder: string
  api(): Api
  kill(): Promise<void>
  start(): Promise<void>
  /** Starts `outlay sync`. */
  sync(): Running
  remove(): Promise<void>
}

/** Makes an empty folder a replica; nothing has come from the remote yet, and nothing is served. */
export async function makeReplica({ proxy, token }: RemoteProcess): Promise<ReplicaProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-kill-replica-'))
  if (!isLong) await placeMigrated(folder)
  const { code, stderr } = await runProgram('remote', 'set', proxy.url, '--token', token, '--data', folder)
  if (code !== 0) throw new Error(stderr)
  let server: BuiltServer | undefined
  return {
    folder,
    api: () => {
      if (!server) throw new Error('The replica is not being served.')
      return clientOf(server, token).api
    },
    kill: async () => server?.kill(),
    start: async () => {
      server = await startBuilt(folder)
    },
    sync: () => startProgram(['sync', '--data', folder]),
    remove: async () => {
      await server?.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What one side was told is stored: names of expenses, contents of comments, hashes of receipts, and places. */
export interface Acknowledged {
  readonly expenses: Set<string>
  readonly comments: Set<string>
  readonly receipts: Set<string>
  readonly places: Map<string, string>
}

export const nothingAcknowledged = (): Acknowledged => ({
  expenses: new Set(),
  comments: new Set(),
  receipts: new Set(),
  places: new Map(),
})

/** Someone who enters expenses, one after the other, also while servers come and go. */
export interface Writer {
  /** Ends when what is under way has been answered, or was lost with the server. */
  stop(): Promise<void>
}

export interface Writing {
  readonly name: string
  readonly organization_id: number
  readonly api: () => Api
  readonly noted: Acknowledged
}

/** Between two expenses: writing is not what is measured. */
const pauseMs = 100

/** Enters expenses with a comment, a correction and a receipt; notes only what was answered with success. */
export function startWriting({ name, organization_id, api, noted }: Writing): Writer {
  let isStopped = false
  const one = async (label: string) => {
    const send = async (method: string, path: string, body: unknown) => {
      const response = await api().send(method, path, body)
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return response.body
    }
    const payer = { id: organization_id, type: 'Organization' }
    const { id } = await send('POST', '/expenses', { payer, amount: 3, occurred_at: '2026-02-03', description: label })
    noted.expenses.add(label)
    await send('POST', `/expenses/${id}/comments`, { content: `about ${label}` })
    noted.comments.add(`about ${label}`)
    await send('PATCH', `/expenses/${id}`, { location: `place of ${label}`, tags: 'travel' })
    noted.places.set(label, `place of ${label}`)
    const file = await uploadFile({ api: api() }, xmlFile({ name: `${label}.xml`, id: label }))
    const { url } = await send('POST', `/expenses/${id}/attachments`, { file })
    noted.receipts.add(/[0-9a-f]{64}/.exec(url)?.[0] ?? '')
  }
  const run = async () => {
    for (let count = 0; !isStopped; count += 1) {
      // What fetch throws when the other side is gone, or not there yet.
      await one(`${name} ${count}`).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error
      })
      await sleep(pauseMs)
    }
  }
  const running = run()
  return {
    stop: () => {
      isStopped = true
      return running
    },
  }
}

import { getAudience } from '#main/store/sync/audience'
import { sharedRecords } from '#main/store/sync/shared-records'
import { listDerivedProblems } from '#main/store/records/expenses/derived-values'
import { readRecordsAfter, readTrailAfter } from '#main/store/sync/feed-reader'
import { type AnyRow, select } from './rows'
import { exchange } from './perform'
import type { Site } from './site'
import type { World } from './world'
import type { Seat } from './seat'

const everything = { after: -1_000_000_000, limit: 1_000_000 }

/** What must hold when all is quiet; what does not, in words. */
export async function findViolations(world: World): Promise<string[]> {
  await world.ledger.settle()
  const found = [...world.ledger.violations, ...(await findLostOperations(world)), ...findUnseenMoves(world)]
  found.push(
    ...(await findBroken(world.remote)),
    ...(await findMixedMoney(world)),
    ...(await findTwins(world)),
    ...(await findRepeated(world)),
  )
  const subjects = await liveSubjects(world.remote)
  for (const seat of world.seats) {
    found.push(...(await findBroken(seat.site)), ...(await findLeftovers(seat)), ...(await findBadFiles(world, seat)))
    const ours = await visibleRows(seat.site, seat.person.user_id, subjects)
    const theirs = await visibleRows(world.remote, seat.person.user_id, subjects)
    found.push(...compare(ours, theirs, `${seat.name} and the remote`))
    found.push(...(await compareBalances(world, seat)))
    if (!world.ledger.hasUpheaval) found.push(...(await findUnfound(world, seat)))
  }
  const seat = world.seats[world.history.seed % world.seats.length]
  if (seat) found.push(...(await compareWithFresh(world, seat)))
  return found
}

async function findLostOperations(world: World): Promise<string[]> {
  const stored = await select(world.remote, 'SELECT op_id, result FROM sync_operations')
  const kinds = new Map(stored.map(({ op_id, result }) => [String(op_id), kindOf(String(result))]))
  const open = new Map<string, string>()
  for (const { site } of world.seats)
    for (const row of await select(site, 'SELECT op_id, state FROM sync_journal')) open.set(String(row.op_id), String(row.state))
  const found: string[] = []
  for (const [op_id, { seat, excuse, state }] of world.ledger.known) {
    const kind = kinds.get(op_id)
    const here = open.get(op_id)
    if (kind === 'applied' || kind === 'merged') continue
    if (excuse !== undefined || ['conflict', 'rejected', 'parked', 'quarantined', 'discarded'].includes(here ?? '')) continue
    if (here === undefined && state === 'settled' && world.ledger.wasRemoteRestored) continue
    found.push(`operation ${op_id} of ${seat} is lost: ${kind ?? 'unknown'} at the remote, ${here ?? 'gone'} here`)
  }
  return found
}

function kindOf(result: string): string {
  const parsed: unknown = JSON.parse(result)
  return typeof parsed === 'object' && parsed !== null && 'kind' in parsed ? String(parsed.kind) : '?'
}

/** Moves and payments at the remote stand on what the person saw, in histories whose operations each have a commit of their own. */
function findUnseenMoves({ ledger, history }: World): string[] {
  if (history.stride < 60) return []
  return ledger.effects.flatMap(({ op_id, uid, before }) => {
    const decision = ledger.decisions.get(op_id)
    if (!decision || !isDecided(decision.path)) return []
    const seen = decision.seen.get(uid)
    return seen === before
      ? []
      : [`${decision.path} of ${decision.seat} was decided by ${seen ?? 'nothing'}, and met ${before ?? 'nothing'}`]
  })
}

const isDecided = (path: string) => /^\/expenses\/-?\d+\/status$|^\/reimbursements$|^\/accountability\/-?\d+\/status$/.test(path)

/** References that lead nowhere, identities given twice, counts that are not what they count, provisional ids that stayed. */
async function findBroken(site: Site): Promise<string[]> {
  const { name } = site.config
  const dangling = await select(site, 'SELECT * FROM pragma_foreign_key_check')
  const found = dangling.map((row) => `${name}: dangling reference ${JSON.stringify(row)}`)
  if (name === 'remote') found.push(...(await listDerivedProblems(site.store.reader)).map((problem) => `${name}: ${problem}`))
  for (const { table } of sharedRecords) {
    if (table === 'user_emails') continue
    const twice = await select(site, `SELECT uid FROM ${table} GROUP BY uid HAVING count(*) > 1`)
    found.push(...twice.map(({ uid }) => `${name}: ${table} ${uid} is there twice`))
  }
  return found
}

async function findLeftovers({ site, name }: Seat): Promise<string[]> {
  const found: string[] = []
  for (const row of await select(site, 'SELECT operation, table_name, count(*) AS count FROM sync_undo GROUP BY 1, 2'))
    found.push(`${name}: ${row.count} entries to undo ${row.operation} in ${row.table_name} are left`)
  for (const table of [...sharedRecords.map((record) => record.table), 'activities']) {
    const [row] = await select(site, `SELECT count(*) AS count FROM ${table} WHERE id < 0`)
    if (Number(row?.count) > 0) found.push(`${name}: ${row?.count} ${table} have provisional ids`)
  }
  for (const row of await select(site, 'SELECT sha256, direction, last_error FROM sync_blobs'))
    if (row.last_error === null) found.push(`${name}: the file ${row.sha256} is not ${row.direction} yet`)
  return found
}

async function findBadFiles({ ledger, remote }: World, { site, name }: Seat): Promise<string[]> {
  const found: string[] = []
  const rows = await select(site, `SELECT DISTINCT sha256 FROM attachments WHERE deleted_at IS NULL${hangsOnLive('attachments')}`)
  for (const { sha256 } of rows) {
    const hash = String(sha256)
    const here = await site.deps.blobs.verify(hash)
    const there = await remote.deps.blobs.verify(hash)
    if (there.kind !== 'intact') found.push(`remote: the file ${hash} is ${there.kind}`)
    if (here.kind !== 'intact' && !(here.kind === 'missing' && ledger.lostFiles.has(`${name} ${hash}`)))
      found.push(`${name}: the file ${hash} is ${here.kind}`)
  }
  return found
}

async function liveSubjects(remote: Site): Promise<Set<string>> {
  const subjects = new Set<string>()
  for (const { table, subject } of sharedRecords) {
    if (subject === undefined) continue
    for (const { id } of await select(remote, `SELECT id FROM ${table} WHERE deleted_at IS NULL`)) subjects.add(`${subject} ${id}`)
  }
  return subjects
}

/** Every amount at the remote was written with its currency by someone, or was there before. */
async function findMixedMoney({ ledger, remote }: World): Promise<string[]> {
  const found: string[] = []
  for (const { uid, amount_minor, currency } of await select(remote, 'SELECT uid, amount_minor, currency FROM expenses')) {
    const written = ledger.written.get(String(uid))
    const now = `${amount_minor} ${currency}`
    if (written && !written.has(now) && ledger.before.get(String(uid)) !== now)
      found.push(`the expense ${uid} is of ${now}, which nobody wrote: ${[...written].join(', ')}`)
  }
  return found
}

/** An operation makes what it makes once; but for whom it mentions and how it is tagged, that is one record of a kind. */
async function findRepeated({ remote }: World): Promise<string[]> {
  const rows = await select(
    remote,
    `SELECT op_id, table_name, count(*) AS count FROM change_log WHERE operation = 'insert' AND op_id IS NOT NULL
     AND table_name NOT IN ('participants', 'tags') GROUP BY 1, 2 HAVING count(*) > 1`,
  )
  return rows.map((row) => `${row.op_id} has made ${row.count} ${row.table_name}`)
}

/** What is there for whoever wrote is found: no operation is refused as one about nothing. */
async function findUnfound({ remote }: World, { site, name }: Seat): Promise<string[]> {
  const rows = await select(
    site,
    `SELECT op_id, method, path, refs FROM sync_journal
     WHERE state = 'rejected' AND json_extract(last_answer, '$.status') = 404`,
  )
  const found: string[] = []
  for (const { op_id, method, path, refs } of rows) {
    const named = JSON.parse(String(refs)) as Array<{ table: string; uid: string }>
    const there: boolean[] = []
    for (const { table, uid } of named)
      there.push((await select(remote, `SELECT 1 FROM ${table} WHERE uid = '${uid}' AND deleted_at IS NULL`)).length > 0)
    if (there.every(Boolean)) found.push(`${name}: ${op_id} (${method} ${path}) was refused as one about nothing`)
  }
  return found
}

/** Each replica is a device of its own. */
async function findTwins({ seats }: World): Promise<string[]> {
  const devices = new Map<string, string>()
  const found: string[] = []
  for (const { site, name } of seats)
    for (const { uid } of await select(site, `SELECT json_extract(value, '$.uid') AS uid FROM sync_state WHERE key = 'device'`)) {
      const other = devices.get(String(uid))
      if (other !== undefined) found.push(`${name} and ${other} are the same device`)
      devices.set(String(uid), name)
    }
  return found
}

type Rows = ReadonlyMap<string, string>

/** All that a user may see at a site, as replicas are told of it. */
async function visibleRows(site: Site, user_id: number, subjects: ReadonlySet<string>): Promise<Rows> {
  const { reader } = site.store
  const audience = await getAudience(reader, user_id)
  const rows = new Map<string, string>()
  const parts = []
  for (const record of sharedRecords) parts.push(...(await readRecordsAfter(reader, record, { ...everything, audience })).parts)
  parts.push(...(await readTrailAfter(reader, { ...everything, audience })))
  for (const { name, columns, rows: cells } of parts)
    for (const cell of cells) {
      const row = Object.fromEntries(columns.map((column, index) => [column, cell[index]]))
      // The trail of what is gone stays where it was followed, and does not come with a snapshot.
      if (name === 'activities' && !subjects.has(`${row.subject_type} ${row.subject_id}`)) continue
      const key = 'id' in row ? String(row.id) : JSON.stringify(cell)
      rows.set(`${name} ${key}`, JSON.stringify(row))
    }
  return rows
}

function compare(ours: Rows, theirs: Rows, who: string): string[] {
  const found: string[] = []
  for (const [key, row] of ours) if (theirs.get(key) !== row) found.push(`${who} differ: ${row} against ${theirs.get(key) ?? 'nothing'}`)
  for (const [key, row] of theirs) if (!ours.has(key)) found.push(`${who} differ: nothing against ${row}`)
  return found
}

async function compareBalances({ remote }: World, { site, person: { user_id }, name }: Seat): Promise<string[]> {
  // Of an organization that one has left, the membership is gone here and kept there.
  const left = await select(remote, `SELECT id FROM memberships WHERE user_id = ${user_id} AND deleted_at IS NOT NULL`)
  if (left.length > 0) return []
  const asked = { user_id, method: 'GET', path: '/advancements/balances' }
  const [ours, theirs] = [await site.call(asked), await remote.call(asked)]
  return JSON.stringify(ours.body) === JSON.stringify(theirs.body)
    ? []
    : [`${name}: balances ${JSON.stringify(ours.body)} against ${JSON.stringify(theirs.body)}`]
}

/** Tables whose rows may stand here as no more than a name. */
const named = new Set(['organizations', 'users', 'user_emails', 'tags', 'corporative_cards', 'pre_expenses', 'reimbursements'])

/** What hangs on a record that is deleted stays with it where it was followed, and does not come to a fresh replica. */
function hangsOnLive(table: string): string {
  if (!['comments', 'participants', 'attachments'].includes(table)) return ''
  const parents = [
    ['expense_id', 'expenses'],
    ...(table === 'attachments'
      ? []
      : [
          ['reimbursement_id', 'reimbursements'],
          ['advancement_id', 'advancements'],
        ]),
  ]
  return parents
    .map(
      ([column, parent]) =>
        ` AND NOT EXISTS (SELECT 1 FROM ${parent} AS parent WHERE parent.id = ${column} AND parent.deleted_at IS NOT NULL)`,
    )
    .join('')
}

/** A replica that has just begun holds what the one that has lived through everything holds, and nothing else. */
async function compareWithFresh(world: World, seat: Seat): Promise<string[]> {
  const fresh = await world.beside(seat.person)
  try {
    const ended = await exchange(fresh)
    if (ended !== 'synced') return [`a fresh replica ends ${ended}`]
    const found: string[] = []
    for (const { table } of sharedRecords) {
      if (named.has(table)) continue
      const live = (site: Site) => select(site, `SELECT * FROM ${table} WHERE deleted_at IS NULL${hangsOnLive(table)}`)
      const byId = (rows: readonly AnyRow[]) => new Map(rows.map((row) => [String(row.id), JSON.stringify(row)]))
      found.push(...compare(byId(await live(seat.site)), byId(await live(fresh.site)), `${table} of ${seat.name} and a fresh one`))
    }
    return found
  } finally {
    await fresh.site.close()
  }
}

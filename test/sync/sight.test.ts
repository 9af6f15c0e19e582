import { afterAll, describe, expect, test } from 'vitest'
import type { TablePart } from '#shared/contract/sync'
import { fromMinor } from '#shared/domain/money'
import type { Api, Json } from '#test/support/instance'
import { type Cells, shownTo, untold } from '#test/support/sync/shown-by-rest'
import { startSights } from '#test/support/sight'

const sights = await startSights()
afterAll(() => sights.instance.remove())

const names = ['admin', 'manager', 'analyst', 'member', 'receiver', 'participant', 'left', 'stranger', 'foreign']
let compared = 0
afterAll(() => {
  expect(compared).toBeGreaterThan(3000)
})

async function snapshotOf(api: Api): Promise<Array<{ table: string; row: Cells }>> {
  const rows: Array<{ table: string; row: Cells }> = []
  for (let next: string | null | undefined; next !== null;) {
    const { body }: { body: Json } = await api.get(`/sync/snapshot?limit=50${next === undefined ? '' : `&next=${next}`}`)
    for (const { name, columns, rows: cells } of body.tables as TablePart[])
      for (const cell of cells) rows.push({ table: name, row: Object.fromEntries(columns.map((column, at) => [column, cell[at]])) })
    next = body.next
  }
  return rows
}

/** Rows that say no more than that they are there. */
const links = ['tag_restrictions', 'accountability_expenses', 'comment_mentions']
/** What follows from other cells, or is made of what REST shows in another form. */
const derived = /_scaled$|_minor$|^extra_information$|^attachments_count$/
/** What replicas need and REST shows by its effect: the file itself, who entered something, the words of an activity. */
const shownElsewhere: Readonly<Record<string, readonly string[]>> = {
  attachments: ['sha256'],
  expenses: [
    'author_id',
    'external_id',
    'distance',
    'distance_kind',
    'origin',
    'origin_latitude',
    'origin_longitude',
    'destination',
    'destination_latitude',
    'destination_longitude',
    'travel_time',
    'flags',
  ],
  closings: ['rates'],
  policies: ['versions'],
  pre_expenses: ['author_id'],
  activities: ['event', 'details', 'organization_id', 'origin'],
  participants: ['id', 'uid', 'version', 'created_at', 'updated_at', 'deleted_at', 'user_id'],
  user_emails: ['id', 'created_at', 'bounced_at'],
}
/** What of a record that REST does not show may be told where another names it. */
const ofStub: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'uid', 'first_name', 'last_name', 'mention_name'],
  organizations: ['id', 'uid', 'name'],
  tags: ['id', 'uid', 'organization_id', 'name', 'name_key', 'deleted_at'],
  corporative_cards: ['id', 'uid', 'organization_id'],
  pre_expenses: ['id', 'uid'],
  reimbursements: ['id', 'uid', 'payer_id', 'receiver_id'],
}

/** The keys under which REST shows a row of a table. */
function keyOf(table: string, row: Cells, nameOf: (id: number) => string): string {
  if (table === 'user_emails') return row.email
  if (table === 'comment_mentions') return `${row.comment_id} ${nameOf(row.user_id)}`
  if (table === 'participants') {
    const kind = row.expense_id ? 'expense' : row.advancement_id ? 'advancement' : 'reimbursement'
    return `${kind} ${row[`${kind}_id`]} ${row.user_id}`
  }
  if (table === 'tag_restrictions') return `${row.tag_id} ${row.user_id}`
  if (table === 'accountability_expenses') return `${row.accountability_id} ${row.expense_id}`
  return String(row.id)
}

/** What sync tells of a row beyond what REST shows of it. */
function excess(table: string, row: Cells, shown: Cells | undefined): string[] {
  return Object.entries(row).flatMap(([column, value]) => {
    compared += 1
    if (shown === undefined) {
      const isNothing = [null, 0, 1, '', untold, 'en', 'Etc/UTC', 'BRL', '{}', 'unknown', 16, 2000].includes(value)
      return ofStub[table]?.includes(column) ||
        isNothing ||
        column.endsWith('user_id') ||
        column === 'receiver_id' ||
        column === 'author_id'
        ? []
        : [`${table}.${column} of ${row.id}, which is not shown: ${String(value)}`]
    }
    if (derived.test(column) || shownElsewhere[table]?.includes(column)) return []
    if (!(column in shown)) return [`${table}.${column} of ${row.id}: ${String(value)}`]
    const told = typeof shown[column] === 'boolean' ? Number(shown[column]) : shown[column]
    return told === value ? [] : [`${table}.${column} of ${row.id}: ${String(value)} instead of ${String(told)}`]
  })
}

describe.each(names)('the %s', (name) => {
  test('gets by sync what REST shows them, cell by cell, and nothing else', async () => {
    const person = sights.people[name]
    if (!person) throw new Error(`There is no ${name}.`)
    const { api, user_id } = person
    const { tables, people } = await shownTo(api)
    const rows = await snapshotOf(api)
    const mentionNames = new Map(rows.filter(({ table }) => table === 'users').map(({ row }) => [row.id, row.mention_name]))
    const wrong: string[] = []
    const told = new Map<string, Set<string>>()
    for (const { table, row } of rows) {
      const key = keyOf(table, row, (id) => mentionNames.get(id))
      told.set(table, (told.get(table) ?? new Set()).add(key))
      // Files are told by their attachments, tags by the records that carry them.
      if (['blobs', 'distance_rules', 'expense_tags', 'advancement_tags', 'reimbursement_tags'].includes(table)) continue
      if (table === 'users') {
        if (row.id === user_id) continue
        if (!people.has(row.id)) wrong.push(`the user ${row.first_name}, whom REST does not name`)
        const own = {
          version: 1,
          created_at: untold,
          updated_at: untold,
          deleted_at: null,
          locale: 'en',
          language: null,
          timezone: 'Etc/UTC',
        }
        wrong.push(...excess(table, row, tables.users?.has(key) ? { ...tables.users.get(key), ...own } : undefined))
        continue
      }
      if (table === 'user_emails' && row.user_id === user_id) continue
      if (table === 'tag_restrictions' && !tables.tag_restrictions) {
        const usable = tables.usable_tags?.get(String(row.tag_id))?.usable
        const isOther = sights.instance.admin.user_id === row.user_id || sights.people.foreign?.user_id === row.user_id
        if (usable ? row.user_id !== user_id : !isOther) wrong.push(`tag ${row.tag_id} is limited to ${row.user_id}`)
        continue
      }
      const shown = tables[table]?.get(key)
      // One's own notification of what is gone has nothing of it but the number of the entry; the inbox leaves it out.
      if (table === 'user_notifications' && row.user_id === user_id && !shown) continue
      if (!shown && !(table in ofStub)) wrong.push(`${table} ${key} ${JSON.stringify(row)}`)
      else if (!links.includes(table)) wrong.push(...excess(table, row, shown))
      if (table === 'activities' && shown) {
        const details: Json[] = JSON.parse(row.details)
        if (!details.every(({ attribute }) => shown.attributes.includes(attribute))) wrong.push(`details of activity ${row.id}`)
      }
      if (shown && typeof shown.amount === 'number' && typeof row.amount_minor === 'number')
        if (fromMinor(row.amount_minor, row.currency) !== shown.amount) wrong.push(`${table} ${row.id}: an amount`)
    }
    expect(wrong).toEqual([])
    const needed = [
      'organizations',
      'memberships',
      'tags',
      'corporative_cards',
      'expenses',
      'reimbursements',
      'advancements',
      'accountabilities',
      'pre_expenses',
      'comments',
      'attachments',
      'advancement_devolutions',
      'accountability_expenses',
      'comment_mentions',
      'participants',
    ]
    for (const table of needed)
      expect([table, [...(tables[table]?.keys() ?? [])].filter((key) => !told.get(table)?.has(key))]).toEqual([table, []])
  })

  test('gets nothing hidden from the feed, from its beginning on', async () => {
    const person = sights.people[name]
    if (!person) throw new Error(`There is no ${name}.`)
    const { api } = person
    const snapshot = await snapshotOf(api)
    const seen = new Set(snapshot.map(({ row }) => row.uid))
    const device = { uid: crypto.randomUUID(), name: 'x', turn: null }
    const hand = await api.send('POST', '/sync/handshake', { protocol: { min: 1, max: 1 }, schema: 3, device, cursor: null })
    const scopes = hand.body.scopes.join(',')
    let cursor = Buffer.from(JSON.stringify([hand.body.epoch, 0, '', 0])).toString('base64url')
    const uids: string[] = []
    for (let more = true; more;) {
      const { body } = await api.get(`/sync/changes?cursor=${cursor}&scopes=${encodeURIComponent(scopes)}`)
      expect(body.kind).toBe('page')
      uids.push(...[...body.log, ...body.removed].map(({ uid }: Json) => uid))
      for (const { columns, rows } of body.tables as TablePart[])
        for (const row of rows) {
          const cells: Json = Object.fromEntries(columns.map((column, at) => [column, row[at]]))
          if (cells.deleted_at === null || cells.deleted_at === undefined) continue
          seen.add(cells.uid)
        }
      ;({ cursor, has_more: more } = body)
    }
    // What left this person's sight, or was deleted before their eyes, is theirs to be told of.
    const own = await sights.instance.app.store.reader.db
      .selectFrom('change_log')
      .select('record_uid')
      .where('user_id', '=', person.user_id)
      .execute()
    for (const { record_uid } of own) seen.add(record_uid)
    const shared = await sights.instance.app.store.reader.db
      .selectFrom('participants')
      .innerJoin('expenses', 'expenses.id', 'participants.expense_id')
      .select('expenses.uid')
      .where('participants.user_id', '=', person.user_id)
      .execute()
    for (const { uid } of shared) seen.add(uid)
    expect(uids.filter((uid) => !seen.has(uid))).toEqual([])
  })
})

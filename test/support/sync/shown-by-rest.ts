import type { Api, Json } from '../instance'

/** The cells of a row, by their columns. */
export type Cells = Readonly<Record<string, Json>>

/** An instant that says nothing. */
export const untold = '1970-01-01T00:00:00Z'

async function all(api: Api, path: string, name: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
    if (status !== 200) return []
    pages = body.total_pages ?? 1
    rows.push(...body[name])
  }
  return rows
}

/** All that REST shows a person, as the rows of a replica would hold it; `people`: everybody whom an answer names. */
export async function shownTo(api: Api): Promise<{ tables: Record<string, Map<string, Cells>>; people: Set<number> }> {
  const tables: Record<string, Map<string, Cells>> = {}
  const people = new Set<number>()
  const put = (table: string, key: unknown, cells: Cells) => (tables[table] ??= new Map()).set(String(key), cells)
  const meta = ({ id, uid, version, created_at, updated_at, deleted_at = null }: Json): Cells => ({
    id,
    uid,
    version,
    created_at,
    updated_at,
    deleted_at,
  })
  const meet = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(meet)
    if (typeof value !== 'object' || value === null) return
    if (value.type === 'User' || 'emails' in value || 'mention_name' in value) people.add(value.id)
    Object.values(value).forEach(meet)
  }
  const activities = (rows: Json[]) => {
    meet(rows)
    for (const row of rows)
      put('activities', row.id, {
        ...{ id: row.id, uid: row.uid, subject_type: row.subject.type, subject_id: row.subject.id, user_id: row.user.id },
        ...{ source_type: row.source?.type ?? null, source_id: row.source?.id ?? null },
        ...{ occurred_at: row.occurred_at, created_at: row.created_at, request_id: null },
        attributes: row.details.map(({ attribute }: Json) => attribute),
      })
  }
  const conversation = async (kind: string, { id }: Json) => {
    const followable = { expense_id: null, advancement_id: null, reimbursement_id: null, [`${kind}_id`]: id }
    for (const row of await all(api, `/${kind}s/${id}/comments`, 'comments')) {
      meet(row)
      const content = row.deleted_at === null ? row.content : ''
      put('comments', row.id, { ...meta(row), user_id: row.user.id, content, ...followable })
      for (const one of row.mentioned_users) put('comment_mentions', `${row.id} ${one.mention_name}`, {})
    }
    const { participants } = (await api.get(`/${kind}s/${id}/participants`)).body
    meet(participants)
    for (const one of participants) put('participants', `${kind} ${id} ${one.id}`, followable)
    activities(await all(api, `/${kind}s/${id}/activities`, 'activities'))
  }
  const amounts = (row: Json) => ({ amount: row.amount, currency: row.currency, date: row.date })
  const parties = (row: Json) => ({
    payer_id: row.payer.id,
    receiver_id: row.receiver.id,
    responsible_user_id: row.responsible_user?.id ?? null,
  })
  activities(await all(api, '/activities', 'activities'))
  for (const { sentence: _s, title: _t, path: _p, is_seen, ...row } of (await api.get('/user_notifications')).body.user_notifications)
    put('user_notifications', row.id, { ...row, deleted_at: null, is_seen: is_seen ? 1 : 0 })
  for (const row of await all(api, '/organizations', 'organizations')) {
    const { name, restricted_tags, separate_approval, separate_payment, retention_years, expired } = row
    put('organizations', row.id, {
      ...meta(row),
      retention_years,
      ...{ separate_approval: separate_approval ? 1 : 0, separate_payment: separate_payment ? 1 : 0 },
      ...{ name, restricted_tags: restricted_tags ? 1 : 0, expired_at: expired ? untold : null, logo_sha256: null },
    })
    for (const one of await all(api, `/organizations/${row.id}/members`, 'memberships')) {
      meet(one)
      put('memberships', one.id, { ...meta(one), organization_id: row.id, user_id: one.user.id, role: one.role })
      const { first_name, last_name, mention_name, default_currency, uid, id } = one.user
      put('users', id, { id, uid, first_name, last_name, mention_name, default_currency, avatar_sha256: null })
      for (const { email, main } of one.user.emails) put('user_emails', email, { user_id: id, email, main: main ? 1 : 0 })
    }
    for (const { number: _n, versions: _v, _links, ...policy } of await all(api, `/organizations/${row.id}/policies`, 'policies')) {
      const lists = ['dates', 'tax_ids', 'tag_ids', 'claimant_ids', 'currencies', 'kinds'].map((name) => [
        name,
        policy[name].join(', ') || null,
      ])
      put('policies', policy.id, { ...policy, ...Object.fromEntries(lists), deleted_at: null, organization_id: row.id })
    }
    for (const { _links, ...rule } of await all(api, `/organizations/${row.id}/approval_rules`, 'approval_rules')) {
      const lists = ['user_ids', 'tag_ids'].map((name) => [name, rule[name].join(', ') || null])
      put('approval_rules', rule.id, { ...rule, ...Object.fromEntries(lists), deleted_at: null, organization_id: row.id })
    }
    for (const { user, delegate, _links, ...standIn } of await all(api, `/organizations/${row.id}/stand_ins`, 'stand_ins')) {
      meet([user, delegate])
      const ids = { user_id: user.id, delegate_id: delegate.id, organization_id: row.id }
      put('stand_ins', standIn.id, { ...standIn, ...ids, deleted_at: null })
    }
    for (const { user, _links, ...decision } of await all(api, `/organizations/${row.id}/repeat_decisions`, 'repeat_decisions'))
      put('repeat_decisions', decision.id, { ...decision, deleted_at: null, organization_id: row.id, user_id: user.id })
    for (const { user, _links, ...line } of await all(api, `/organizations/${row.id}/statement_lines`, 'statement_lines'))
      put('statement_lines', line.id, { ...line, deleted_at: null, organization_id: row.id, user_id: user.id })
    for (const { user, _links, ...match } of await all(api, `/organizations/${row.id}/statement_matches`, 'statement_matches'))
      put('statement_matches', match.id, { ...match, deleted_at: null, organization_id: row.id, user_id: user.id })
    for (const { _links, ...sheet } of await all(api, `/organizations/${row.id}/exchange_rates`, 'exchange_rates'))
      put('exchange_rates', sheet.id, { ...sheet, deleted_at: null, organization_id: row.id })
    for (const { _links, ...supplier } of await all(api, `/organizations/${row.id}/suppliers`, 'suppliers'))
      put('suppliers', supplier.id, { ...supplier, deleted_at: null, organization_id: row.id })
    for (const { _links, ...profile } of await all(api, `/organizations/${row.id}/export_profiles`, 'export_profiles'))
      put('export_profiles', profile.id, { ...profile, deleted_at: null, organization_id: row.id })
    for (const { user, _links, ...closing } of await all(api, `/organizations/${row.id}/closings`, 'closings'))
      put('closings', closing.id, { ...closing, deleted_at: null, organization_id: row.id, user_id: user.id })
    for (const { user, _links, is_shared, ...view } of await all(api, `/organizations/${row.id}/saved_views`, 'saved_views'))
      put('saved_views', view.id, {
        ...{ ...view, deleted_at: null, organization_id: row.id },
        ...{ user_id: user.id, is_shared: is_shared ? 1 : 0 },
      })
    for (const tag of await all(api, `/organizations/${row.id}/tags`, 'tags')) {
      const name_key = tag.name.toLowerCase()
      put('tags', tag.id, { ...meta(tag), organization_id: row.id, name: tag.name, name_key, group_name: tag.group })
      for (const user_id of tag.restricted_user_ids ?? []) put('tag_restrictions', `${tag.id} ${user_id}`, {})
      if (!tag.restricted_user_ids) put('usable_tags', tag.id, { usable: tag.usable })
    }
    for (const card of await all(api, `/corporative_cards?q[organization_id_in][]=${row.id}`, 'corporative_cards'))
      put('corporative_cards', card.id, {
        ...meta(card),
        ...{ organization_id: row.id, user_id: card.user.id, name: card.name, number_last4: card.number.slice(-4) },
        ...{ number_length: card.number.replace(/\s/g, '').length, number_hmac: '', flag: card.flag.name },
        ...{ expiration_month: card.expiration_month, expiration_year: card.expiration_year, active: card.active ? 1 : 0 },
      })
  }
  for (const row of await all(api, '/expenses', 'expenses')) {
    meet(row)
    const {
      amount,
      approved_amount,
      tags: _tags,
      attachments,
      flags: _f,
      _links,
      payer: _p,
      receiver: _r,
      responsible_user: _u,
      ...plain
    } = row
    put('expenses', row.id, { ...plain, deleted_at: null, ...parties(row), amount, approved_amount })
    for (const one of attachments) {
      const { description, uploaded_at, content_type, file_name, bytes } = one
      const cells = { expense_id: row.id, user_id: one.user.id, description, uploaded_at, content_type, file_name, bytes }
      put('attachments', one.id, { ...meta(one), ...cells })
    }
    await conversation('expense', row)
  }
  for (const kind of ['reimbursement', 'advancement'])
    for (const row of await all(api, `/${kind}s`, `${kind}s`)) {
      meet(row)
      const { description, comments_count, activities_count } = row
      put(`${kind}s`, row.id, { ...meta(row), ...parties(row), ...amounts(row), description, comments_count, activities_count })
      await conversation(kind, row)
    }
  for (const row of await all(api, '/advancement_devolutions', 'advancement_devolutions'))
    put('advancement_devolutions', row.id, { ...meta(row), ...parties(row), ...amounts(row) })
  for (const row of await all(api, '/accountabilities', 'accountabilities')) {
    meet(row)
    const { title, description, status, activities_count } = row
    const { payer_id, receiver_id, responsible_user_id: author_id } = parties(row)
    put('accountabilities', row.id, { ...meta(row), payer_id, receiver_id, author_id, title, description, status, activities_count })
    for (const id of row.expense_ids) if (tables.expenses?.has(String(id))) put('accountability_expenses', `${row.id} ${id}`, {})
    activities(await all(api, `/accountability/${row.id}/activities`, 'activities'))
  }
  for (const status of ['', '?status=ignored', '?status=converted'])
    for (const row of await all(api, `/pre_expenses${status}`, 'pre_expenses')) {
      meet(row)
      const { description, currency, occurred_at, tags, external_id, ignored_at, converted_at, amount } = row
      const cells = { description, amount, currency, occurred_at, tags, external_id, ignored_at, converted_at }
      put('pre_expenses', row.id, { ...meta(row), receiver_id: row.receiver.id, ...cells })
    }
  return { tables, people }
}

import { expect, test } from 'vitest'
import { endpoints } from '#main/http/endpoints'
import { dependents } from '#main/store/sync/apply-rows'
import { isMadeByReplicas } from '#main/store/sync/shared-records'
import { sharedTables } from '#main/store/sync/undo-triggers'
import { changedAttributes } from '#shared/sync/merge'
import { findPolicy, isReadAtRemote } from '#shared/sync/policies'
import { namedRecords, tableOfAttribute } from '#shared/sync/references'

// What two versions of the program say to each other hangs on these: a change of a definition that changes one is seen here.

test('the tables that replicas share come parents first', () => {
  expect(sharedTables).toEqual([
    ...[
      'organizations',
      'users',
      'user_emails',
      'memberships',
      'tags',
      'tag_restrictions',
      'suppliers',
      'policies',
      'approval_rules',
      'stand_ins',
      'saved_views',
      'export_profiles',
      'closings',
      'exchange_rates',
      'distance_rules',
      'corporative_cards',
    ],
    ...[
      'pre_expenses',
      'statement_lines',
      'reimbursements',
      'reimbursement_tags',
      'advancements',
      'advancement_tags',
      'advancement_devolutions',
    ],
    ...['expenses', 'expense_tags', 'repeat_decisions', 'statement_matches', 'accountabilities', 'accountability_expenses', 'comments'],
    ...['comment_mentions', 'participants', 'attachments', 'user_notifications', 'activities'],
  ])
})

test('replicas make records of these tables, and no others', () => {
  expect(sharedTables.filter(isMadeByReplicas).sort()).toEqual([
    ...['accountabilities', 'advancement_devolutions', 'advancements', 'attachments', 'comments', 'expenses', 'participants'],
    ...['pre_expenses', 'reimbursements', 'repeat_decisions', 'saved_views', 'statement_lines', 'statement_matches', 'suppliers', 'tags'],
  ])
})

test('what names a record goes with it, or lets go of it', () => {
  const named = Object.entries(dependents)
    .filter(([table]) => !['users', 'organizations'].includes(table))
    .flatMap(([parent, all = []]) =>
      all.map(({ table, column, isOptional }) => `${parent} < ${table}.${column}${isOptional ? ', emptied' : ''}`),
    )
  expect(named.sort()).toEqual([
    'accountabilities < accountability_expenses.accountability_id',
    'advancements < advancement_tags.advancement_id',
    'advancements < comments.advancement_id',
    'advancements < participants.advancement_id',
    'comments < comment_mentions.comment_id',
    'corporative_cards < expenses.corporative_card_id, emptied',
    'corporative_cards < statement_lines.corporative_card_id',
    'expenses < accountability_expenses.expense_id',
    'expenses < attachments.expense_id',
    'expenses < comments.expense_id',
    'expenses < expense_tags.expense_id',
    'expenses < participants.expense_id',
    'expenses < repeat_decisions.expense_id',
    'expenses < repeat_decisions.other_expense_id',
    'expenses < statement_matches.expense_id',
    'pre_expenses < expenses.pre_expense_id, emptied',
    'pre_expenses < statement_lines.pre_expense_id, emptied',
    'reimbursements < comments.reimbursement_id',
    'reimbursements < expenses.reimbursement_id, emptied',
    'reimbursements < participants.reimbursement_id',
    'reimbursements < reimbursement_tags.reimbursement_id',
    'statement_lines < statement_matches.statement_line_id',
    'tags < advancement_tags.tag_id',
    'tags < expense_tags.tag_id',
    'tags < reimbursement_tags.tag_id',
    'tags < suppliers.tag_id, emptied',
    'tags < tag_restrictions.tag_id',
  ])
})

const policies = {
  merge: [
    ...['accountabilities.replace', 'accountabilities.update', 'advancement_comments.update', 'advancements.replace'],
    ...['advancements.update', 'attachments.replace', 'attachments.update', 'expense_comments.update', 'expenses.replace'],
    ...['expenses.update', 'organizations.replace', 'organizations.update', 'preferences.replace', 'preferences.update'],
    ...['reimbursement_comments.update', 'repeat_decisions.replace', 'repeat_decisions.update'],
    ...['saved_views.replace', 'saved_views.update', 'statement_lines.replace', 'statement_lines.update', 'statement_matches.replace'],
    ...['statement_matches.update', 'suppliers.replace', 'suppliers.update', 'tags.replace', 'tags.update'],
    'user.preferences.update',
  ],
  add: [
    ...['accountabilities.create', 'advancement_comments.create', 'advancement_comments.destroy', 'advancement_devolutions.create'],
    ...['advancement_participants.destroy', 'advancements.create', 'attachments.create', 'attachments.destroy'],
    ...['expense_comments.create', 'expense_comments.destroy', 'expense_participants.destroy', 'expenses.create'],
    ...['pre_expenses.create', 'reimbursement_comments.create', 'reimbursement_comments.destroy'],
    ...['reimbursement_participants.destroy', 'repeat_decisions.create', 'repeat_decisions.destroy', 'saved_views.create'],
    ...['saved_views.destroy', 'statement_lines.create', 'statement_lines.destroy', 'statement_matches.create'],
    ...['statement_matches.destroy', 'suppliers.create', 'suppliers.destroy', 'tags.create', 'user_notifications.see'],
  ],
  conditional: [
    ...['accountabilities.destroy', 'accountabilities.status.update', 'advancements.destroy', 'distance_rules.create'],
    ...['expenses.destroy', 'expenses.status.update', 'pre_expenses.convert', 'pre_expenses.destroy', 'pre_expenses.ignore'],
    ...['pre_expenses.restore', 'pre_expenses.restore_by_put', 'reimbursements.create', 'reimbursements.destroy'],
    ...['reimbursements.replace', 'reimbursements.update', 'tags.destroy'],
  ],
}
const writes = endpoints.map(({ route }) => route).filter(({ method }) => method !== 'GET')

test.each(Object.entries(policies))('these writes are carried by the policy %s', (policy, names) => {
  const found = writes.map(({ name }) => name).filter((name) => findPolicy(name) === policy)
  expect([...new Set(found)].sort()).toEqual(names)
})

test('what holds secrets is read at the remote; what replicas hold is not', () => {
  const read = ['webhooks.list', 'invitations.list', 'devices.list', 'memberships.list', 'corporative_cards.show', 'expenses.list']
  expect(read.filter(isReadAtRemote)).toEqual(['webhooks.list', 'invitations.list', 'devices.list'])
})

test('bodies name records by these attributes, and paths by these parameters', () => {
  expect(Object.fromEntries([...tableOfAttribute].sort())).toEqual({
    claimant_ids: 'users',
    corporative_card_id: 'corporative_cards',
    delegate: 'users',
    delegate_id: 'users',
    expense_id: 'expenses',
    expense_ids: 'expenses',
    organization_id: 'organizations',
    other_expense_id: 'expenses',
    payer: 'organizations',
    payer_id: 'organizations',
    pre_expense_id: 'pre_expenses',
    receiver: 'users',
    receiver_id: 'users',
    restricted_user_ids: 'users',
    statement_line_id: 'statement_lines',
    tag_id: 'tags',
    tag_ids: 'tags',
    user: 'users',
    user_id: 'users',
    user_ids: 'users',
  })
  const paths = endpoints.flatMap(({ route }) => {
    const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '7']))
    return namedRecords({ route, params, body: {} }).map(({ at, table }) => {
      const segments = route.path.split('/').slice(1)
      const index = Number(at.replace('path.', ''))
      return `${segments[index - 1]}/${segments[index]} ${table}`
    })
  })
  expect([...new Set(paths)].sort()).toEqual([
    'accountability/:id accountabilities',
    'advancements/:advancement_id advancements',
    'advancements/:id advancements',
    'approval_rules/:id approval_rules',
    'attachments/:id attachments',
    'balances/:payer_id organizations',
    'closings/:id closings',
    'comments/:id comments',
    'corporative_cards/:id corporative_cards',
    'exchange_rates/:id exchange_rates',
    'expenses/:expense_id expenses',
    'expenses/:id expenses',
    'export_profiles/:id export_profiles',
    'members/:user_id users',
    'organization/:organization_id organizations',
    'organizations/:id organizations',
    'organizations/:organization_id organizations',
    'policies/:id policies',
    'pre_expenses/:id pre_expenses',
    'reimbursements/:id reimbursements',
    'reimbursements/:reimbursement_id reimbursements',
    'repeat_decisions/:id repeat_decisions',
    'saved_views/:id saved_views',
    'stand_ins/:id stand_ins',
    'statement_lines/:id statement_lines',
    'statement_matches/:id statement_matches',
    'suppliers/:id suppliers',
    'tags/:id tags',
  ])
})

test.each([
  ['amount', ['amount', 'currency', 'distance', 'distance_kind', 'kind']],
  ['approved_amount', ['approved_amount', 'approved_amount_currency']],
  ['payer', ['payer', 'receiver']],
  ['description', ['description']],
])('a change of %s is a change of %j', (name, group) => {
  const names = [...new Set([...group, name])]
  const before = Object.fromEntries(names.map((one) => [one, 'before']))
  expect(Object.keys(changedAttributes(before, { ...before, [name]: 'after' }).mine).sort()).toEqual(group)
})

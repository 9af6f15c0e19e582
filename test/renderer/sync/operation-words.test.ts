import { describe, expect, test } from 'vitest'
import * as accountabilities from '#shared/contract/accountabilities'
import * as advancements from '#shared/contract/advancements'
import * as attachments from '#shared/contract/attachments'
import * as comments from '#shared/contract/comments'
import * as devolutions from '#shared/contract/advancement-devolutions'
import * as distanceRules from '#shared/contract/distance-rules'
import * as expenses from '#shared/contract/expenses'
import * as organizations from '#shared/contract/organizations'
import * as participants from '#shared/contract/participants'
import * as preExpenses from '#shared/contract/pre-expenses'
import * as preferences from '#shared/contract/preferences'
import * as reimbursements from '#shared/contract/reimbursements'
import * as tags from '#shared/contract/tags'
import { expenseStatuses } from '#shared/domain/expense-status'
import { type Texts, toResources } from '#shared/i18n/resources'
import { findPolicy } from '#shared/sync/policies'
import { addressOf, wordsOf } from '../../../src-renderer/features/sync/operation-words'
import { sampleOperation } from './operations'

const words = (method: string, path: string, body: unknown = {}, mine: Record<string, unknown> = {}) =>
  wordsOf({ method, path, body, base: { currency: 'BRL', kind: 'monetary' }, mine, subject: null })

describe('an operation in words', () => {
  test('a move names its status, its expense and what was approved', () => {
    expect(wordsOf(sampleOperation())).toEqual({
      key: 'expense.status.approved',
      id: 123,
      text: null,
      money: { amount: 12.5, currency: 'BRL' },
      attributes: [],
    })
  })

  test('a new expense shows its description and amount, and has no number yet', () => {
    const body = { amount: '12.50', currency: 'BRL', description: 'Taxi' }
    expect(words('POST', '/expenses', body)).toMatchObject({
      key: 'expense.new',
      id: null,
      text: 'Taxi',
      money: { amount: 12.5, currency: 'BRL' },
    })
    expect(words('POST', '/expenses', { kind: 'distance', distance: 12 }).money).toBeNull()
  })

  test('an edit names the fields it changes; an amount includes its currency', () => {
    const mine = { amount: 99, currency: 'USD', kind: 'monetary', description: 'Taxi' }
    expect(words('PATCH', '/expenses/12', { amount: 99, description: 'Taxi' }, mine)).toMatchObject({
      key: 'expense.edit',
      id: 12,
      attributes: ['amount', 'description'],
    })
    expect(words('PATCH', '/expenses/12', { currency: 'USD' }).attributes).toEqual(['currency'])
  })

  test('an operation on a comment or receipt names the expense, and a receipt its file', () => {
    expect(words('POST', '/expenses/5/comments', { content: 'Why?' })).toMatchObject({ key: 'comment.expense.new', id: 5, text: 'Why?' })
    const file = 'http://localhost/uploads/u/1/caf%C3%A9%20da%20manh%C3%A3.jpg'
    expect(words('POST', '/expenses/5/attachments', { file })).toMatchObject({ key: 'receipt.new', id: 5, text: 'café da manhã.jpg' })
  })

  test('a record that has got another number since is named by that', () => {
    const subject = { table: 'expenses', id: 900, uid: 'u' }
    expect(wordsOf(sampleOperation({ path: '/expenses/-3/status', subject })).id).toBe(900)
    expect(addressOf({ path: '/expenses/-3/status', subject })).toBe('/expenses/900')
  })

  test('an unknown operation is shown by its request', () => {
    expect(words('POST', '/somewhere/else').key).toBe('other')
    expect(words('PUT', '/expenses/1/status', { status: 'approved', approved_amount: 'x' }).money).toBeNull()
  })
})

test('each record opens on its screen; its comments and receipts open there too', () => {
  const at = (path: string, table: string) => addressOf({ path, subject: { table, id: 7, uid: 'u' } })
  expect(at('/expenses/7', 'expenses')).toBe('/expenses/7')
  expect(at('/advancements/7', 'advancements')).toBe('/advances/7')
  expect(at('/accountability/7/status', 'accountabilities')).toBe('/accountabilities/7')
  expect(at('/expenses/3/comments/7', 'comments')).toBe('/expenses/3')
  expect(at('/organizations/1/tags/7', 'tags')).toBe('/tags/7')
  expect(addressOf({ path: '/preferences', subject: null })).toBeNull()
})

const texts = toResources(import.meta.glob<Texts>('../../../src-shared/i18n/en/{sync,records/*}.json', { eager: true, import: 'default' }))
  .en?.sync?.operation

function textOf(key: string): unknown {
  return key.split('.').reduce<string | Texts | undefined>((part, name) => {
    return typeof part === 'object' ? part[name] : undefined
  }, texts)
}

interface RouteLike {
  readonly name: string
  readonly method: string
  readonly path: string
}

function routesIn(value: unknown): RouteLike[] {
  if (typeof value !== 'object' || value === null) return []
  if ('name' in value && 'method' in value && 'path' in value && 'params' in value) return [value as RouteLike]
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || Object.prototype.toString.call(value) === '[object Module]'
  return isPlain ? Object.values(value).flatMap(routesIn) : []
}

test('every journalled write has a separate sentence', () => {
  const modules = [accountabilities, advancements, attachments, comments, devolutions, distanceRules, expenses, organizations]
  const routes = [...modules, participants, preExpenses, preferences, reimbursements, tags].flatMap(routesIn)
  const journalled = routes.filter(
    ({ name, method }) => method !== 'GET' && ['add', 'merge', 'conditional'].includes(findPolicy(name) ?? ''),
  )
  expect(journalled.length).toBeGreaterThan(40)
  const unsaid = journalled.flatMap(({ name, method, path }) => {
    const body = name.startsWith('accountabilities.status') ? { status: 'finished' } : { status: 'approved' }
    const { key } = words(method, path.replace(/:\w+/g, '7'), body)
    return key === 'other' || typeof textOf(key) !== 'string' ? [`${name} ${method} ${path} ${key}`] : []
  })
  expect(unsaid).toEqual([])
})

test('every status of an expense has a sentence', () => {
  for (const status of expenseStatuses) expect(typeof textOf(words('PUT', '/expenses/1/status', { status }).key)).toBe('string')
})

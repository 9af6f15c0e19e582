import { expect } from 'vitest'
import { checked } from './contract'
import type { ApiResponse, Instance, Json, Person } from './instance'

export const path = '/pre_expenses'

/** A pre-expense as a ride service sends one. */
export const ride = { description: 'Ride', amount: 23.4, currency: 'BRL', occurred_at: '2026-03-04T10:00:00Z', tags: ['taxi', 'night'] }

/** What the member of an instance, or someone else, does with pre-expenses; each success is held against the contract. */
export interface PreExpenseClient {
  post(body?: Json, person?: Person): Promise<ApiResponse<Json>>
  made(attributes?: Json, person?: Person): Promise<Json>
  convert(id: number, body?: Json, person?: Person): Promise<ApiResponse<Json>>
  act(id: number, what: string, method?: string): Promise<ApiResponse<Json>>
  listed(status?: string, person?: Person): Promise<number[]>
}

/** A client of an instance's pre-expenses. */
export function preExpensesOf(instance: Instance): PreExpenseClient {
  const { member } = instance
  const payer = { id: instance.organization_id, type: 'Organization' }
  return {
    post: (body = {}, { api } = member) => api.send('POST', path, body),
    made: async (attributes = {}, { api } = member) => {
      const { status, body } = await checked(api).send('POST', path, { ...ride, ...attributes })
      expect(status).toBe(201)
      return body
    },
    convert: (id, body = {}, { api } = member) => checked(api).send('POST', `${path}/${id}/convert`, { payer, amount: 23.4, ...body }),
    act: (id, what, method = 'PUT') => checked(member.api).send(method, `${path}/${id}/${what}`),
    listed: async (status, { api } = member) => {
      const { body } = await checked(api).get(`${path}?per_page=100${status === undefined ? '' : `&status=${status}`}`)
      return body.pre_expenses.map(({ id }: Json) => id)
    },
  }
}

import { expect } from 'vitest'
import type { Route } from '#shared/contract/route'
import { api as served } from '#main/http/endpoints'
import type { Api, ApiResponse, Instance, Person } from './instance'

/** The route that a request leads to. */
export function routeOf(method: string, path: string): Route {
  const match = served.router.read({ method, path, body: null })
  if (match.kind !== 'found') throw new Error(`No route for ${method} ${path}`)
  return match.asked.route
}

/** Holds a success against its route: the status that it declares, and a body with exactly the attributes of its schema. */
export function expectContract(method: string, path: string, { status, body }: ApiResponse): void {
  const route = routeOf(method, path)
  expect(status).toBe(route.status)
  const parsed = route.response.safeParse(body)
  expect(parsed.error?.issues ?? [], `${method} ${path}`).toEqual([])
  expect(parsed.data, `${method} ${path} answers attributes that its schema does not name`).toEqual(body)
}

/** A client each of whose successes is held against the contract. */
export function checked(api: Api): Api {
  const check = <A extends ApiResponse>(method: string, path: string, answer: A): A => {
    if (answer.status < 300) expectContract(method, path, answer)
    return answer
  }
  return {
    get: async (path, headers) => check('GET', path, await api.get(path, headers)),
    send: async (method, path, body, headers) => check(method, path, await api.send(method, path, body, headers)),
  }
}

/** An instance whose people all speak through a {@link checked} client. */
export function checkedInstance(instance: Instance): Instance {
  const hold = (person: Person): Person => ({ ...person, api: checked(person.api) })
  return {
    ...instance,
    admin: hold(instance.admin),
    manager: hold(instance.manager),
    analyst: hold(instance.analyst),
    member: hold(instance.member),
    stranger: hold(instance.stranger),
    addUser: async (name, role) => hold(await instance.addUser(name, role)),
  }
}

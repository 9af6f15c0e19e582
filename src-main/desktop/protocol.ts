import { z } from 'zod'
import type { App } from '../app'
import { localHeader } from '../http/authentication'

/** The origin of the desktop's own pages: no port is open, `protocol.handle` hands their requests to the server in process. */
export const appOrigin = 'app://outlay'

const methodSchema = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Answers a request of the desktop window by the embedded server. */
export async function answerInProcess({ server, local_secret }: App, request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (url.host !== 'outlay') return new Response(null, { status: 421 })
  const headers = Object.fromEntries(
    [...request.headers].filter(([name]) => name !== localHeader && name !== 'host' && name !== 'origin'),
  )
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  const answer = await server.inject({
    method: methodSchema.parse(request.method),
    url: `${url.pathname}${url.search}`,
    headers: { 'user-agent': 'Outlay desktop', ...headers, host: 'outlay', [localHeader]: local_secret },
    ...(body === undefined ? {} : { payload: body }),
  })
  const entries = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
  const isEmpty = [204, 304].includes(answer.statusCode)
  return new Response(isEmpty ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers: entries })
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import * as cursors from '#main/change-feed/cursor'
import { startInstance } from '#test/support/instance'

test('a server ends while a browser keeps a connection on which it never asked anything', { timeout: 30_000 }, async () => {
  const instance = await startInstance()
  const { hostname, port } = new URL(instance.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  await instance.remove()
  socket.destroy()
})

test('a request for the feed while the server ends gets a response that says so', { timeout: 30_000 }, async () => {
  const instance = await startInstance()
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<undefined>()
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<undefined>()
  const { cursorAtEnd } = cursors
  vi.spyOn(cursors, 'cursorAtEnd').mockImplementationOnce(async (...args) => {
    const cursor = await cursorAtEnd(...args)
    isAsked(undefined)
    await goesOn
    return cursor
  })
  const headers = { authorization: `Basic ${Buffer.from(`${instance.admin.token}:`).toString('base64')}`, 'user-agent': 'tests' }
  const response = fetch(`${instance.url}/api/v1/events`, { headers })
  await asked
  const closed = instance.close()
  setTimeout(() => goOn(undefined), 100)
  expect((await response).status).toBe(503)
  await closed
  await instance.remove()
})

import type { Json } from '../instance'

/** What a listener of `GET /events` has heard. */
export interface Heard {
  readonly events: readonly Json[]
  close(): void
}

/** Follows the events of a server from now on; it has begun when this resolves. */
export async function followEvents(url: string, token: string): Promise<Heard> {
  const stop = new AbortController()
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const { body } = await fetch(`${url}/api/v1/events`, { signal: stop.signal, headers: { 'user-agent': 'tests', authorization } })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const events: Json[] = []
  const begun = Promise.withResolvers<void>()
  const read = async () => {
    for (let text = ''; ;) {
      const { value, done = true } = (await reader?.read()) ?? {}
      if (done) return
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, data] = /^data: (.*)$/m.exec(part) ?? []
        if (data !== undefined) events.push(JSON.parse(data))
      }
      if (events.length > 0) begun.resolve()
    }
  }
  read().catch(() => undefined)
  await begun.promise
  return { events, close: () => stop.abort() }
}

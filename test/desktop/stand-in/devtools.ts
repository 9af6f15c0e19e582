import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from '@playwright/test'

/** What a page, or the browser itself, is told and says by the protocol of Chromium's developer tools. */
export type Session = Pick<CDPSession, 'send' | 'on'>

interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** The developer tools of a Chromium at the other end of its pipe: JSON texts, each ended by a zero. */
export class DevTools {
  /** The browser's own. */
  readonly browser: Session
  readonly #input: Writable
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #sessions = new Map<string, EventEmitter>()
  #lastId = 0

  constructor(input: Writable, output: Readable) {
    this.#input = input
    this.browser = this.session('')
    let parts: string[] = []
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const [first = '', ...others] = chunk.split('\0')
      parts.push(first)
      for (const next of others) {
        this.#hear(JSON.parse(parts.join('')) as Message)
        parts = [next]
      }
    })
    // A browser that ended hears nothing any more, and nobody waits for it.
    input.on('error', () => undefined)
  }

  /** The part of a target that was attached to. */
  session(id: string): Session {
    const events = new EventEmitter().setMaxListeners(0)
    this.#sessions.set(id, events)
    return {
      send: (method, params) => this.#send(method, params, id) as Promise<never>,
      on: ((event: string, hear: (params: unknown) => void) => events.on(event, hear)) as never,
    }
  }

  #send(method: string, params: unknown, sessionId: string): Promise<unknown> {
    const id = ++this.#lastId
    const answered = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answered)
    this.#input.write(`${JSON.stringify({ id, method, params, sessionId: sessionId || undefined })}\0`)
    return answered.promise
  }

  #hear({ id, sessionId = '', method, params, result, error }: Message): void {
    if (method !== undefined) this.#sessions.get(sessionId)?.emit(method, params)
    if (id === undefined) return
    if (error) this.#waiting.get(id)?.reject(new Error(error.message))
    else this.#waiting.get(id)?.resolve(result)
    this.#waiting.delete(id)
  }
}

import { ApiError } from '../api/client'
import { newUid } from './draft'

interface Attempt<T> {
  readonly asked: string
  readonly key: string
  response: Promise<T> | undefined
}

/**
 * The request of a form under one key until it is answered: a second click meanwhile, and another try after a lost connection, ask for the
 * same thing once. What was refused, or asked otherwise, has a new key.
 */
export class Attempts<T> {
  #last: Attempt<T> | undefined

  constructor(readonly newKey: () => string = newUid) {}

  /** `asked`: what tells the request from another. Throws what `send` throws. */
  run(asked: unknown, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(asked)
    const last = this.#last?.asked === text ? this.#last : { asked: text, key: this.newKey(), response: undefined }
    this.#last = last
    last.response ??= this.#send(last, send)
    return last.response
  }

  async #send(last: Attempt<T>, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const end = () => {
      if (this.#last === last) this.#last = undefined
    }
    try {
      const made = await send(last.key)
      end()
      return made
    } catch (error) {
      last.response = undefined
      if (error instanceof ApiError && isAnswer(error)) end()
      throw error
    }
  }
}

/** Whether the server said how the request ended. */
function isAnswer({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 409
}

import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from './deps'

/** Where files come in and go out (contract 4.16, supplement "Attachments and uploads"). */
export function registerFiles(_app: FastifyInstance, _deps: ServerDeps): Promise<void> {
  return Promise.resolve()
}

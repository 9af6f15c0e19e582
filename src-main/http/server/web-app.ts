import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { ServerParts } from '../deps'
import { toPageHeaders } from './page-headers'
import { messageResponse } from '../refusals'
import { send } from './send'

/** Serves the web application's files, and its one page for every other address. */
export async function registerWebApp(
  app: FastifyInstance,
  { settings: { web_folder }, bucket }: Pick<ServerParts, 'settings' | 'bucket'>,
): Promise<void> {
  const notFound = (locale: Language) => messageResponse(404, translate(locale, 'errors:not_found'))
  if (web_folder === null || !existsSync(web_folder)) {
    app.setNotFoundHandler((_request, reply) => send(reply, notFound('en')))
    return
  }
  const pageHeaders = toPageHeaders(bucket?.origin)
  // Only the files that the page loads are public; the page is always sent with its policy.
  await app.register(fastifyStatic, {
    root: join(web_folder, 'assets'),
    prefix: '/assets/',
    index: false,
    maxAge: '365d',
    immutable: true,
    // The build packed them.
    preCompressed: true,
    setHeaders: (reply) => void reply.header('cross-origin-resource-policy', 'same-origin'),
  })
  // Not among the assets: a service worker's scope is its own folder.
  for (const name of ['service-worker.js', 'manifest.webmanifest'])
    app.get(`/${name}`, (_request, reply) =>
      reply.headers(pageHeaders).header('cache-control', 'no-cache').sendFile(name, web_folder, { cacheControl: false }),
    )
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (!isPage) return send(reply, notFound('en'))
    return reply.headers(pageHeaders).header('cache-control', 'no-cache').sendFile('index.html', web_folder, { cacheControl: false })
  })
}

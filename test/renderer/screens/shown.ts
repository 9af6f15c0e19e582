import type { QueryClient, QueryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { createElement } from 'react'
import { prerender } from 'react-dom/static'
import { vi } from 'vitest'
import { Router } from 'wouter'
import { instanceRoutes } from '#shared/contract/instance/instance'
import { type Instance, type InstanceOptions, type Person, startInstance } from '#test/support/instance'
import type { DraftForm } from '../../../src-renderer/state/draft'
import { readHook, readWords } from '../read-hook'

/** A screen as a person reads it. */
export interface Shown {
  /** All words of the screen, without those of the frame around it. */
  readonly text: string
  /** The names of its buttons. */
  readonly buttons: readonly string[]
  /** Where its links lead, by their names. */
  readonly links: ReadonlyMap<string, string>
  /** What its fields hold, by their labels. */
  readonly fields: ReadonlyMap<string, string>
}

/** Answers that take the place of the server's, by their path. */
type Answers = Readonly<Record<string, unknown>>

/** What someone writes in Capture. */
export type Written = { readonly form: Partial<DraftForm>; readonly files?: readonly File[] }

const realFetch = globalThis.fetch
const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
/** What a page is in that reads these as it is drawn, and does nothing with them before it is shown. */
const around = {
  window: { matchMedia: () => ({ matches: false }), addEventListener: () => undefined, isSecureContext: true },
  document: { activeElement: null },
  localStorage: storage,
  sessionStorage: storage,
}

/** Without a browser nothing has a size: lists draw all of their rows. */
const drawAllRows = () => ({
  useVirtualizer: ({ count }: { count: number }) => ({
    getVirtualItems: () => Array.from({ length: count }, (_, index) => ({ index, start: 0 })),
    getTotalSize: () => 0,
    range: null,
  }),
  defaultRangeExtractor: () => [],
})

/** A server, and people who look at screens: the whole interface is drawn beneath the browser, with what the server answers to each. */
export async function startScreens(options?: InstanceOptions) {
  await readWords()
  const instance = await startInstance(options)
  for (const [name, value] of Object.entries(around)) vi.stubGlobal(name, value)
  // The page as one that was just loaded.
  vi.resetModules()
  vi.doMock('@tanstack/react-virtual', drawAllRows)
  const { App, createQueryClient } = await import('../../../src-renderer/app')
  const { usePreferences } = await import('../../../src-renderer/state/preferences')
  // Drawn without a browser, stores show what they begin with.
  Object.assign(usePreferences.getInitialState(), { organizationId: instance.organization_id })
  const show = async (person: Person, path: string, answers: Answers = {}): Promise<Shown> => {
    enter(instance, { person, path, answers })
    const client = createQueryClient()
    // What could not be read says so.
    client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false, retryOnMount: false } })
    for (;;) {
      const html = await draw(createElement(App, { i18n: i18next, queryClient: client }), path)
      const asked = listAsked(client)
      if (asked.length === 0) return readPage(html)
      await Promise.allSettled(asked.map((query) => query.fetch()))
    }
  }
  return {
    instance,
    /** Shows a person the screen of an address; `answers`: what the server answers to reads of these paths of the API in place of its own. */
    show,
    /** Shows a person Capture with what they write, and with what its receipts fill in. */
    capture: async (person: Person, written: Written) => {
      enter(instance, { person, path: '/capture' })
      await write(instance, written)
      return show(person, '/capture')
    },
    end: async () => {
      vi.doUnmock('@tanstack/react-virtual')
      vi.resetModules()
      vi.unstubAllGlobals()
      await instance.remove()
    },
  }
}

/** Screens of a server. */
export type Screens = Awaited<ReturnType<typeof startScreens>>

/** Has the page hold what someone writes in Capture. */
async function write({ organization_id }: Instance, { form, files = [] }: Written): Promise<void> {
  const { call } = await import('../../../src-renderer/api/client')
  const { createDraft } = await import('../../../src-renderer/state/draft')
  const { addFiles, useDrafts } = await import('../../../src-renderer/state/drafts')
  const { useAddFiles } = await import('../../../src-renderer/features/capture/use-add-files')
  const begun = createDraft('', { payer_id: organization_id, currency: 'BRL', tags: [], distance_kind: 'km' })
  const draft = { ...begun, form: { ...begun.form, ...form } }
  useDrafts.setState({ isLoaded: true, drafts: [draft], currentId: draft.id })
  await addFiles(draft, files)
  const session = await call(instanceRoutes.showSession)
  const { fill } = readHook(() => useAddFiles(draft, { session, open: () => undefined }))
  await fill(draft.id, files)
  Object.assign(useDrafts.getInitialState(), useDrafts.getState())
}

/** Has the page be at an address, and speak as someone. */
function enter({ url }: Instance, { person, path, answers = {} }: { person: Person; path: string; answers?: Answers }): void {
  const authorization = `Basic ${Buffer.from(`${person.token}:`).toString('base64')}`
  vi.stubGlobal('location', new URL(path, url))
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!address.startsWith('/')) return realFetch(address, init)
    const answer = answers[address.slice('/api/v1'.length)]
    if (answer !== undefined) return Promise.resolve(Response.json(answer))
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization, 'user-agent': 'tests' }
    return realFetch(`${url}${address}`, { ...init, headers })
  })
}

/** The queries of a screen that it has yet to wait for, without those that are switched off. */
function listAsked(client: QueryClient) {
  const isOn = ({ enabled, queryFn }: QueryOptions & { enabled?: unknown }) => enabled !== false && typeof queryFn === 'function'
  return client.getQueryCache().findAll({ predicate: ({ state, options }) => state.status === 'pending' && isOn(options) })
}

async function draw(app: ReturnType<typeof createElement>, path: string): Promise<string> {
  const [ssrPath, ssrSearch = ''] = path.split('?')
  const faults: unknown[] = []
  const { prelude } = await prerender(createElement(Router, { ssrPath, ssrSearch, children: app }), {
    // All in its place, however long it is.
    progressiveChunkSize: Infinity,
    onError: (fault) => void faults.push(fault),
  })
  const html = await new Response(prelude).text()
  if (faults.length > 0) throw faults[0]
  return html
}

function readPage(html: string): Shown {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html
  const parts = (tag: string) => [...main.matchAll(new RegExp(`<${tag}\\b([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))]
  const attribute = (name: string, attributes = '') => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]
  const nameOf = ([, attributes, content = '']: RegExpExecArray) => toText(attribute('aria-label', attributes) ?? content)
  const labels = new Map(parts('label').map(([, attributes, content = '']) => [attribute('for', attributes), toText(content)]))
  const inputs = [...main.matchAll(/<input\b([^>]*)>|<textarea\b([^>]*)>([^<]*)/g)].map(([, input, area, content]) => {
    const attributes = input ?? area
    return [labels.get(attribute('id', attributes)) ?? '', toText(content ?? attribute('value', attributes) ?? '')] as const
  })
  return {
    text: toText(main),
    buttons: parts('button').map(nameOf),
    links: new Map(parts('a').map((link) => [nameOf(link), toText(attribute('href', link[1]) ?? '')])),
    fields: new Map(inputs),
  }
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function toText(html: string): string {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!--.*?-->|<\/?(span|b|strong|em|a|abbr|mark|time|bdi)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x27|\w+);/g, (all, name: string) => signs[name] ?? all)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

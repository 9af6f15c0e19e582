import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import i18next from 'i18next'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { type Texts, toResources } from '#shared/i18n/resources'

/** Has the page's words at hand, in English. */
export async function readWords(): Promise<void> {
  const resources = toResources(
    import.meta.glob<Texts>(['../../src-shared/i18n/en/*.json', '../../src-shared/i18n/en/records/*.json'], {
      eager: true,
      import: 'default',
    }),
  )
  await i18next.init({ lng: 'en', resources, interpolation: { escapeValue: false } })
}

/** What is drawn of a component without a browser, once, with stores as they begin. `client`: what was read before. */
export function draw(node: ReactNode, client = new QueryClient()): string {
  const words = createElement(I18nextProvider, { i18n: i18next }, node)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, words)).replaceAll('\u00a0', ' ')
}

/** What a hook returns, without a browser. */
export function readHook<T>(use: () => T, client?: QueryClient): T {
  const read: T[] = []
  const Reader = () => {
    read.push(use())
    return null
  }
  draw(createElement(Reader), client)
  const [first] = read
  if (first === undefined) throw new Error('The hook returned nothing.')
  return first
}

import type { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { defaultLanguage } from '#shared/domain/locales'
import { echoWrites } from './api/echo-writes'
import { sessionQuery } from './api/session'
import { App, createQueryClient } from './app'
import { readAhead } from './features/review/list/read-ahead'
import { startI18n } from './i18n'
import { usePreferences } from './state/preferences'

/** Draws the interface, at the page's address. Returns what takes it away, with everything that was read. */
export function startPage(): () => void {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no #root')
  const queryClient = createQueryClient()
  const stopEchoing = echoWrites(queryClient)
  void askAhead(queryClient).catch(() => undefined)
  const root = createRoot(element)
  let isEnded = false
  const texts = startI18n(usePreferences.getState().language).catch(() => startI18n(defaultLanguage))
  void texts.then((i18n) => {
    if (isEnded) return
    root.render(
      <StrictMode>
        <App i18n={i18n} queryClient={queryClient} />
      </StrictMode>,
    )
  })
  return () => {
    isEnded = true
    root.unmount()
    stopEchoing()
    void queryClient.cancelQueries()
    queryClient.clear()
  }
}

/** Requests the first screen's data while it is drawn; the screen repeats and reports a failed request. */
async function askAhead(queryClient: QueryClient): Promise<void> {
  const session = await queryClient.fetchQuery(sessionQuery)
  if (/^\/(review|$)/.test(location.pathname)) await readAhead(queryClient, session, location.search)
}

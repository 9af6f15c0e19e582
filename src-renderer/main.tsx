import './no-eval'
import './trusted-types'
import '@mantine/core/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepShell } from './api/service-worker'
import { sessionQuery } from './api/session'
import { App, createQueryClient } from './app'
import { readAhead } from './features/review/list/read-ahead'
import { startI18n } from './i18n'
import { usePreferences } from './state/preferences'
import { guardDoubleClicks } from './ui/keys/double-clicks'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const queryClient = createQueryClient()
/** Requests the first screen's data while it is drawn; the screen repeats and reports a failed request. */
async function askAhead(): Promise<void> {
  const session = await queryClient.fetchQuery(sessionQuery)
  if (/^\/(review|$)/.test(location.pathname)) await readAhead(queryClient, session, location.search)
}
void askAhead().catch(() => undefined)

keepShell()
guardDoubleClicks()
createRoot(root).render(
  <StrictMode>
    <App i18n={startI18n(usePreferences.getState().language)} queryClient={queryClient} />
  </StrictMode>,
)

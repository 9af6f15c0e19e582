import { desktop } from './desktop'

/** The worker that keeps the pages on this device and shows pushes; from the root, so that it reaches all of them. */
export const workerPath = '/service-worker.js'

/** How long after its load a page has the worker keep large files, which it may need later. */
const restAfterMs = 10_000

/** Keeps the pages on this device, so that they open without a network. The desktop has its own; browsers allow it over https only. */
export function keepShell(): void {
  if (desktop || import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  const register = () => {
    void serviceWorker.register(workerPath, { updateViaCache: 'none' }).catch(() => undefined)
    setTimeout(() => void serviceWorker.ready.then(({ active }) => active?.postMessage('keep the rest')), restAfterMs)
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}

/*
 * Keeps the pages of Outlay on this device, so that they open without a network, and shows what is pushed to it. It keeps what the
 * build made and nothing else: no response of the API and no file of anyone. The build puts in which files these are.
 */
const shell = { version: '', files: [], later: [] }

const cacheName = `outlay-shell-${shell.version}`
/** How long the server may take to respond with a page before the one kept here is shown, in milliseconds. */
const patienceMs = 4000

self.addEventListener('install', (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(forgetOldShells().then(() => self.clients.claim())))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && !/^\/(api|files|uploads)\b/.test(pathname)) event.respondWith(openPage(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(openAsset(request))
})

async function keepShell() {
  const page = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' })
  const text = await page.clone().text()
  // The server may be a newer one by now: its own worker comes with the next page.
  if (!page.ok || !shell.files.some((file) => text.includes(file))) throw new Error('The page is not of this version.')
  const cache = await caches.open(cacheName)
  await cache.addAll(shell.files)
  await cache.put('/', page)
}

self.addEventListener('message', (event) => event.waitUntil(keepRest()))

/** Keeps the large files that a page needs later: asked for by a page at rest, so that its first load does not share the line with them. */
async function keepRest() {
  const cache = await caches.open(cacheName)
  for (const file of shell.later) if (!(await cache.match(file))) await cache.add(file)
}

/** Pages that are still open have parts of the version before to load. */
async function forgetOldShells() {
  const kept = (await caches.keys()).filter((name) => name.startsWith('outlay-shell-') && name !== cacheName)
  await Promise.all(kept.slice(0, -1).map((name) => caches.delete(name)))
}

/** The server's page wherever it responds: an old page never meets a newer API. */
async function openPage(request) {
  const kept = await (await caches.open(cacheName)).match('/')
  if (!kept) return fetch(request)
  const asked = fetch(request).then(
    (response) => (response.status < 500 ? response : kept),
    () => kept,
  )
  return Promise.race([asked, new Promise((resolve) => setTimeout(() => resolve(kept), patienceMs))])
}

async function openAsset(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

self.addEventListener('push', (event) => {
  let payload = {}
  try {
    payload = event.data.json()
  } catch {
    // A push that cannot be read still has to be shown.
  }
  const { title = 'Outlay', body = '', url = '/', tag } = payload
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  event.waitUntil(open(url.href))
})

async function open(href) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [known] = windows
  if (!known) return self.clients.openWindow(href)
  await known.focus()
  return known.navigate(href).catch(() => self.clients.openWindow(href))
}

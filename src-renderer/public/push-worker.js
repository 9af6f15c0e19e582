/* Shows what Outlay pushes to this device; nothing is cached and no request is touched. */
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

type Attributes = Record<string, unknown>

function isAttributes(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/** Applies `change` to each part; returns the same list if nothing changed. */
function changeParts(parts: readonly unknown[], change: (part: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < parts.length; index += 1) {
    const changed = change(parts[index])
    if (changed !== parts[index]) (copy ??= [...parts])[index] = changed
  }
  return copy ?? parts
}

function toAbsoluteLink(link: unknown, base_url: string): unknown {
  if (!isAttributes(link)) return link
  const name = typeof link.href === 'string' ? 'href' : 'url'
  const place = link[name]
  return typeof place === 'string' && place.startsWith('/') ? { ...link, [name]: `${base_url}${place}` } : link
}

/** Makes the links of records and stored responses, which are relative to {base_url}, absolute. Absolute links stay: they come from a remote. */
function toAbsolute(links: unknown, base_url: string): unknown {
  return Array.isArray(links) ? changeParts(links, (link) => toAbsoluteLink(link, base_url)) : links
}

/**
 * Makes all `_links` in a body absolute, with the {base_url} of its reader (supplement 3, "Links"). Does not copy a body without links, and does not
 * change `extra_information`, which belongs to integrations.
 */
export function withAbsoluteLinks(body: unknown, base_url: string): unknown {
  if (Array.isArray(body)) return changeParts(body, (part) => withAbsoluteLinks(part, base_url))
  if (!isAttributes(body)) return body
  let copy: Attributes | undefined
  for (const name in body) {
    const part = body[name]
    if (!isAttributes(part) || name === 'extra_information') continue
    const absolute = name === '_links' ? toAbsolute(part, base_url) : withAbsoluteLinks(part, base_url)
    if (absolute !== part) (copy ??= { ...body })[name] = absolute
  }
  return copy ?? body
}

type Attributes = Record<string, unknown>

function isAttributes(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/** The list itself where `change` returns every part as it is, else a copy. */
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

/** Links as records and stored responses have them, relative to {base_url}, made absolute; absolute ones stay: a remote gave them. */
function toAbsolute(links: unknown, base_url: string): unknown {
  return Array.isArray(links) ? changeParts(links, (link) => toAbsoluteLink(link, base_url)) : links
}

/**
 * A body with all its `_links` absolute, under the {base_url} that its reader knows (supplement 3, "Links"); what holds none is not
 * copied. What an integration stored as `extra_information` is its own.
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

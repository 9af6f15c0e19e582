type Attributes = Record<string, unknown>

function isAttributes(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/** Links as records and stored responses have them, relative to {base_url}, made absolute; absolute ones stay: a remote gave them. */
function toAbsolute(links: unknown, base_url: string): unknown {
  if (!Array.isArray(links)) return links
  return links.map((link: unknown) => {
    if (!isAttributes(link)) return link
    const absolute = { ...link }
    for (const name of ['href', 'url']) {
      const value = link[name]
      if (typeof value === 'string' && value.startsWith('/')) absolute[name] = `${base_url}${value}`
    }
    return absolute
  })
}

/**
 * A body with all its `_links` absolute, under the {base_url} that its reader knows (supplement 3, "Links"); what holds none is not
 * copied. What an integration stored as `extra_information` is its own.
 */
export function withAbsoluteLinks(body: unknown, base_url: string): unknown {
  if (Array.isArray(body)) return body.map((part) => withAbsoluteLinks(part, base_url))
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

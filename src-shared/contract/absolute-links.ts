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
 * A copy of a body with all its `_links` absolute, under the {base_url} that its reader knows (supplement 3, "Links"). What an
 * integration stored as `extra_information` is its own.
 */
export function withAbsoluteLinks(body: unknown, base_url: string): unknown {
  if (Array.isArray(body)) return body.map((part) => withAbsoluteLinks(part, base_url))
  if (!isAttributes(body)) return body
  const copy = { ...body }
  for (const [name, part] of Object.entries(copy)) {
    if (name === '_links') copy[name] = toAbsolute(part, base_url)
    else if (isAttributes(part) && name !== 'extra_information') copy[name] = withAbsoluteLinks(part, base_url)
  }
  return copy
}

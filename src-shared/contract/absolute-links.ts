/** Records and answers name places relative to {base_url}, so that nothing that is stored holds one caller's address of it. */
function toAbsolute(links: unknown, base_url: string): unknown {
  if (!Array.isArray(links)) return links
  return links.map((link: unknown) =>
    typeof link !== 'object' || link === null
      ? link
      : Object.fromEntries(
          Object.entries(link).map(([name, value]: [string, unknown]) =>
            (name === 'href' || name === 'url') && typeof value === 'string' && value.startsWith('/')
              ? [name, `${base_url}${value}`]
              : [name, value],
          ),
        ),
  )
}

/**
 * A copy of a body with the links of all its `_links` made absolute, under the {base_url} that whoever reads it knows (supplement 3,
 * "Links"). Links that are absolute already stay: a remote gave them. What an integration stored as `extra_information` is its own.
 */
export function withAbsoluteLinks(body: unknown, base_url: string): unknown {
  if (Array.isArray(body)) return body.map((part) => withAbsoluteLinks(part, base_url))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, part]: [string, unknown]) => {
      if (name === '_links') return [name, toAbsolute(part, base_url)]
      return [name, name === 'extra_information' ? part : withAbsoluteLinks(part, base_url)]
    }),
  )
}

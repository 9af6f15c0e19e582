/** Links of a record that can be read, changed and deleted at one address (contract section 1, "Links"). */
export function memberLinks(href: string): Array<{ rel: string; method: string; href: string }> {
  return [
    { rel: 'self', method: 'GET', href },
    { rel: 'update', method: 'PUT', href },
    { rel: 'partial_update', method: 'PATCH', href },
    { rel: 'destroy', method: 'DELETE', href },
  ]
}

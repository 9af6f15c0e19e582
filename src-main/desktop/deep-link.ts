import { pagePath } from '#shared/desktop/bridge'

/** The scheme of links that open Outlay at a place: `outlay://expenses/123`. */
export const linkScheme = 'outlay'

/** The screen's path for each kind of link; `id` is digits. */
const places: Readonly<Record<string, (id: string) => string>> = {
  expenses: (id) => (id === '' ? '/my-expenses' : `/expenses/${id}`),
  review: (id) => joined('/review', id),
  reimbursements: (id) => joined('/reimbursements', id),
  advancements: () => '/advances',
  accountabilities: (id) => joined('/accountabilities', id),
  'pre-expenses': (id) => joined('/pre-expenses', id),
  'corporative-cards': (id) => joined('/cards', id),
  capture: () => '/capture',
  sync: () => '/sync',
  settings: () => '/settings',
}

function joined(path: string, id: string): string {
  return id === '' ? path : `${path}/${id}`
}

/** The path that a deep link opens; undefined for other links, which are ignored. */
export function pathOfLink(link: string): string | undefined {
  const [, place = '', id = ''] = new RegExp(`^${linkScheme}://([a-z-]{1,40})/?(\\d{0,15})/?$`).exec(link) ?? []
  const path = Object.hasOwn(places, place) ? places[place]?.(id) : undefined
  return path !== undefined && pagePath.safeParse(path).success ? path : undefined
}

/** The first deep link among the program's arguments. */
export function linkAmong(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${linkScheme}://`))
}

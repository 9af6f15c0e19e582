import type { Language } from '#shared/domain/locales'
import type { Role } from '#shared/domain/roles'

/** A person of the demo organization. */
export interface DemoPerson {
  readonly name: string
  readonly role: Role
  readonly locale: Language
}

/** The people of the demo organization, by the keys that this folder uses; the admin is created with the organization. */
export const people = {
  helena: { name: 'Helena Prado', role: 'admin', locale: 'pt' },
  marcus: { name: 'Marcus Whitfield', role: 'manager', locale: 'en' },
  beatriz: { name: 'Beatriz Nogueira', role: 'analyst', locale: 'pt' },
  rafael: { name: 'Rafael Lima', role: 'member', locale: 'pt' },
  emily: { name: 'Emily Carter', role: 'member', locale: 'en' },
  joao: { name: 'João Batista Souza', role: 'member', locale: 'pt' },
  priya: { name: 'Priya Raman', role: 'member', locale: 'en' },
} as const satisfies Record<string, DemoPerson>

/** A person of the demo, by the key of {@link people}. */
export type PersonKey = keyof typeof people

/** An address in a domain that nobody owns. */
export function emailOf({ name }: DemoPerson): string {
  const local = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
  return `${local}@aurora.example`
}

/** The demo organization's initial tags, in their groups. */
export const tags: ReadonlyArray<{ readonly name: string; readonly group: string | null }> = [
  { name: 'Flights', group: 'Travel' },
  { name: 'Hotel', group: 'Travel' },
  { name: 'Taxi', group: 'Travel' },
  { name: 'Own car', group: 'Travel' },
  { name: 'Meals', group: 'People' },
  { name: 'Training', group: 'People' },
  { name: 'Software', group: 'Office' },
  { name: 'Supplies', group: 'Office' },
  { name: 'Client: Ipê', group: null },
]

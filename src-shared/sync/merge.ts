import { attributesWith } from '#shared/records/attributes'
import { records } from '#shared/records/index'

/** Attributes that are meaningful only together: changing one counts as changing all (`src-main/sync/SPEC.md`, "Meaning"). */
export const mergeGroups: ReadonlyArray<readonly string[]> = [
  ...Map.groupBy(
    records.flatMap(({ attributes = {} }) => attributesWith(attributes, 'mergeGroup')),
    ([, { mergeGroup }]) => mergeGroup,
  ).values(),
].map((group) => [...new Set(group.map(([name]) => name))])

/** Attributes about the record, not of it: nobody can disagree on them. */
const derived = new Set([
  ...['id', 'uid', 'version', 'created_at', 'updated_at', '_links', 'attachments', 'attachments_count', 'comments_count'],
  ...['activities_count', 'content_html', 'logo', 'avatar', 'responsible_user', 'members_count', 'flags', 'flag_level'],
  ...['approved_totals', 'paid_totals'],
])

export type Attributes = Readonly<Record<string, unknown>>

/** An attribute on which two people disagree. */
export interface Disagreement {
  readonly attribute: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** A value of a representation as text. The addresses of a party's pictures expire, so they are left out. */
export function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, (name, part: unknown) => (name === 'logo' || name === 'avatar' ? undefined : part))
}

/** Whether two values of representations are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b)
}

/** The attributes whose values differ, old and new, each with the others of its merge group. */
export function changedAttributes(before: Attributes, after: Attributes): { base: Attributes; mine: Attributes } {
  const differing = Object.keys({ ...before, ...after }).filter(
    (name) => !derived.has(name) && name !== 'totals' && !isSame(before[name], after[name]),
  )
  const together = differing.flatMap((name) => mergeGroups.find((group) => group.includes(name)) ?? [name])
  const changed = [...new Set(together)].filter((name) => name in before || name in after)
  const pick = (from: Attributes) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]))
  return { base: pick(before), mine: pick(after) }
}

/** What a person saw of a record, to find later changes. */
export function seenAttributes(representation: Attributes): Attributes {
  const shown = Object.entries(representation).filter(([name]) => !derived.has(name) || name.endsWith('s_count'))
  return Object.fromEntries(shown.filter(([name]) => name !== 'activities_count'))
}

/** The differences between a record and what a person saw of it. */
export function differencesSince(seen: Attributes, now: Attributes): Disagreement[] {
  return Object.keys(seen)
    .filter((name) => !isSame(seen[name], now[name]))
    .map((attribute) => ({ attribute, base: seen[attribute], mine: null, theirs: now[attribute] ?? null }))
}

/** The result of changed attributes after changes by others: all are written, some have the value already, or people disagree. */
export type Merge =
  | { readonly kind: 'write'; readonly attributes: readonly string[]; readonly isMerged: boolean }
  | { readonly kind: 'conflict'; readonly disagreements: readonly Disagreement[] }

/** Merges a person's changes with the current record: by attribute, those of a merge group together. */
export function mergeAttributes({ base, mine }: { base: Attributes; mine: Attributes }, theirs: Attributes): Merge {
  const disagreements: Disagreement[] = []
  const write: string[] = []
  for (const group of groupsOf(Object.keys(mine))) {
    const isAsBefore = group.every((name) => isSame(base[name], theirs[name]))
    const isDone = group.every((name) => isSame(mine[name], theirs[name]))
    if (isAsBefore) write.push(...group)
    else if (!isDone)
      disagreements.push(
        ...group.map((attribute) => ({ attribute, base: base[attribute], mine: mine[attribute], theirs: theirs[attribute] ?? null })),
      )
  }
  if (disagreements.length > 0) return { kind: 'conflict', disagreements }
  return { kind: 'write', attributes: write, isMerged: write.length < Object.keys(mine).length }
}

function groupsOf(names: readonly string[]): string[][] {
  const groups = mergeGroups.map((group) => group.filter((name) => names.includes(name))).filter((group) => group.length > 0)
  const grouped = new Set(groups.flat())
  return [...groups, ...names.filter((name) => !grouped.has(name)).map((name) => [name])]
}

/** What holds for an attribute of any kind. */
interface AttributeOptions {
  /**
   * How requests write it: `required`, create and PUT demand it; `optional`, PUT demands it; `extension` of the contract, nothing
   * demands it. Without it, only acts of their own write it, such as a move to a status. What is written is audited.
   */
  readonly writes?: 'required' | 'optional' | 'extension'
  /** It may be null; numbers, references of records, and texts that are not required always may. */
  readonly isNullable?: true
  /** The name of its column, where that is another; of plain attributes and parties only. */
  readonly column?: string
  /** No entry of the audit trail has its value: the event says all. */
  readonly isUnaudited?: true
  /** It is stored and not shown. */
  readonly isHidden?: true
  /** Lists can be filtered and sorted by it. */
  readonly isFiltered?: true
  /** The search finds the record by it. */
  readonly isSearched?: true
  /** Exports have a column for it. */
  readonly isExported?: true
  /** The names by which an import recognises its column, most telling first, as `toHeaderWords` writes them. */
  readonly importedFrom?: readonly string[]
  /** Forms and details have a plain field for it, and lists a column that users can choose. */
  readonly isPlainField?: true
  /** It belongs to records of this kind alone, and is shown only there. */
  readonly onlyOfKind?: string
  /** A decision of the record is about it: a change of it takes the decision back. Supplement 3, "A decision holds for what was decided". */
  readonly isDecided?: true
  /** A change of one attribute of the group is a change of all: they mean something only together. */
  readonly mergeGroup?: string
}

/** What a list holds: ids of tags or users, or words. */
export type ListedKind = 'tags' | 'users' | 'currencies' | 'dates' | 'kinds' | 'tax_ids'

/** What an attribute holds. */
type AttributeKind =
  /**
   * A text; null where it is blank, or refused if it is required. Texts of requests have at most 10,000 characters, or `longest`.
   * One that is required can have to match a pattern.
   */
  | { readonly kind: 'text'; readonly longest?: number; readonly matches?: RegExp }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** An integer. */
  | { readonly kind: 'count'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  /** A UTC instant. */
  | { readonly kind: 'instant' }
  /** Money, in major units of the currency that the attribute `currency` holds; stored in minor units and on a common scale. */
  | { readonly kind: 'amount'; readonly currency: string }
  | { readonly kind: 'currency' }
  /** One of some words. `wordedAs`: how the audit trail words them, if not as they are. */
  | {
      readonly kind: 'choice'
      readonly values: readonly string[]
      readonly initial?: string
      readonly wordedAs?: 'kind' | 'status' | 'role' | 'policy_weight' | 'policy_condition' | 'policy_period' | 'approval_rule'
    }
  /** A user or an organization, stored by id as `<name>_id`. */
  | { readonly kind: 'party'; readonly of: 'Organization' | 'User' }
  /** The id of another record; when that is taken off a replica, null. */
  | { readonly kind: 'record'; readonly to: string }
  /** A picture, stored by the hash of its file as `<name>_sha256`; null where there is none. */
  | { readonly kind: 'image' }
  /** The names of the record's tags: one text, or a list where the contract shows one. */
  | { readonly kind: 'tags'; readonly isList?: true }
  /** Several values, in one column as a text with `, ` between them; null where there are none. At most so many. */
  | { readonly kind: 'list'; readonly of: ListedKind; readonly most: number }
  /** The ids of other records that are linked to it, at most so many. */
  | { readonly kind: 'ids'; readonly to: string; readonly most: number }

/** One attribute of a record. */
export type Attribute = AttributeOptions & AttributeKind
/** The attributes of a record by name, in the order in which changes are listed. */
export type Attributes = Readonly<Record<string, Attribute>>

type Nullable<A, V> = A extends { readonly isNullable: true } ? V | null : V

/** A value as a row holds it in the attribute's own column. */
export type ColumnValue<A> = A extends { readonly kind: 'text' }
  ? A extends { readonly writes: 'required' }
    ? string
    : string | null
  : A extends { readonly kind: 'number' | 'count' | 'record' }
    ? number | null
    : A extends { readonly kind: 'flag' }
      ? Nullable<A, 0 | 1>
      : A extends { readonly kind: 'list' }
        ? string | null
        : A extends { readonly kind: 'choice'; readonly values: readonly (infer V)[] }
          ? Nullable<A, V>
          : A extends { readonly kind: 'instant' | 'currency' }
            ? Nullable<A, string>
            : A extends { readonly kind: 'image' }
              ? string | null
              : A extends { readonly kind: 'party' | 'amount' }
                ? Nullable<A, number>
                : never

/** The columns of an attribute. */
export type ColumnName<K extends string, A> = A extends { readonly kind: 'amount' }
  ? `${K}_minor` | `${K}_scaled`
  : A extends { readonly kind: 'tags' | 'ids' }
    ? never
    : A extends { readonly column: infer C extends string }
      ? C
      : A extends { readonly kind: 'party' }
        ? `${K}_id`
        : A extends { readonly kind: 'image' }
          ? `${K}_sha256`
          : K

const suffixes: Partial<Record<AttributeKind['kind'], string>> = { party: '_id', image: '_sha256' }

/** The only column of an attribute, of a party the one that holds its id, of a picture the one that holds its hash. */
export const columnOf = (name: string, { kind, column = `${name}${suffixes[kind] ?? ''}` }: Attribute) => column

/** The columns in which a record's attributes are stored. */
export type ColumnsOf<A extends Attributes> = { -readonly [K in keyof A & string as ColumnName<K, A[K]>]: ColumnValue<A[K]> }

/** What the audit trail calls an attribute: a party by its column. */
export type AuditedName<A extends Attributes> = {
  [K in keyof A & string]: A[K] extends { readonly isHidden: true } | { readonly isUnaudited: true }
    ? never
    : A[K] extends { readonly kind: 'party' }
      ? `${K}_id`
      : K
}[keyof A & string]

/** The names of the attributes for which all of this holds, such as `{ isPlainField: true }`. */
export type NamesWith<A extends Attributes, O> = { [K in keyof A & string]: A[K] extends O ? K : never }[keyof A & string]

/** The attributes for which an option is set, with their names, in their order. */
export function attributesWith<const A extends Attributes, O extends keyof Attribute>(
  attributes: A,
  option: O,
): ReadonlyArray<readonly [name: NamesWith<A, Readonly<Record<O, unknown>>>, attribute: Attribute]> {
  // The option is set where the type of the attribute has it.
  return Object.entries(attributes).filter(([, attribute]) => attribute[option] !== undefined) as Array<
    [NamesWith<A, Readonly<Record<O, unknown>>>, Attribute]
  >
}

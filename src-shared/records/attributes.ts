/** Options of attributes of any kind. */
interface AttributeOptions {
  /**
   * How requests write it: `required`, create and PUT require it; `optional`, PUT requires it; `extension` of the contract, never required. Absent:
   * only separate actions write it, such as a status move. Written values are audited.
   */
  readonly writes?: 'required' | 'optional' | 'extension'
  /** Whether it may be null; numbers, references of records, and texts that are not required always may. */
  readonly isNullable?: true
  /** The name of its column, if different; for plain attributes and parties only. */
  readonly column?: string
  /** Whether the audit trail never has its value, because the event tells everything. */
  readonly isUnaudited?: true
  /** Whether it is stored but not shown. */
  readonly isHidden?: true
  /** Whether lists can be filtered and sorted by it. */
  readonly isFiltered?: true
  /** Whether search finds the record by it. */
  readonly isSearched?: true
  /** Whether exports have a column for it. */
  readonly isExported?: true
  /** The names by which an import recognises its column, most specific first, in the form of `toHeaderWords`. */
  readonly importedFrom?: readonly string[]
  /** Whether forms and details have a plain field for it, and lists an optional column. */
  readonly isPlainField?: true
  /** The only kind of record that has it and shows it. */
  readonly onlyOfKind?: string
  /** Whether decisions about the record depend on it: a change withdraws them. Supplement 3, "A decision holds for what was decided". */
  readonly isDecided?: true
  /** A group of attributes that change together, as they are meaningful only together. */
  readonly mergeGroup?: string
}

/** The values of a list: ids of tags or users, or texts. */
export type ListedKind = 'tags' | 'users' | 'currencies' | 'dates' | 'kinds' | 'tax_ids'

/** The kinds of attributes. */
type AttributeKind =
  /**
   * A text; blank text is null, or an error if required. Texts in requests have at most 10,000 characters, or `longest`. A required text may have to
   * match a pattern.
   */
  | { readonly kind: 'text'; readonly longest?: number; readonly matches?: RegExp }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'count'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'instant' }
  /** Money, in major units of the currency in the attribute `currency`; stored in minor units and on a common scale. */
  | { readonly kind: 'amount'; readonly currency: string }
  | { readonly kind: 'currency' }
  /** One of some texts. `wordedAs`: the audit trail's words for them, if different. */
  | {
      readonly kind: 'choice'
      readonly values: readonly string[]
      readonly initial?: string
      readonly wordedAs?: 'kind' | 'status' | 'role' | 'policy_weight' | 'policy_condition' | 'policy_period' | 'approval_rule'
    }
  /** A user or organization, stored by id as `<name>_id`. */
  | { readonly kind: 'party'; readonly of: 'Organization' | 'User' }
  /** The id of another record; null after that is removed from a replica. */
  | { readonly kind: 'record'; readonly to: string }
  /** A picture, stored by its file's hash as `<name>_sha256`; null if there is none. */
  | { readonly kind: 'image' }
  /** The record's tag names: one text, or a list where the contract shows one. */
  | { readonly kind: 'tags'; readonly isList?: true }
  /** Several values in one column, as a text joined with `, `; null if empty. `most`: the limit. */
  | { readonly kind: 'list'; readonly of: ListedKind; readonly most: number }
  /** The ids of linked records; `most`: the limit. */
  | { readonly kind: 'ids'; readonly to: string; readonly most: number }

/** One attribute of a record. */
export type Attribute = AttributeOptions & AttributeKind
/** The attributes of a record by name, in the order in which changes are listed. */
export type Attributes = Readonly<Record<string, Attribute>>

type Nullable<A, V> = A extends { readonly isNullable: true } ? V | null : V

/** The value of an attribute's own column in a row. */
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

/** The only column of an attribute; of a party its id's, of a picture its hash's. */
export const columnOf = (name: string, { kind, column = `${name}${suffixes[kind] ?? ''}` }: Attribute) => column

/** The columns of a record's attributes. */
export type ColumnsOf<A extends Attributes> = { -readonly [K in keyof A & string as ColumnName<K, A[K]>]: ColumnValue<A[K]> }

/** The audit trail's name of an attribute: for a party its column. */
export type AuditedName<A extends Attributes> = {
  [K in keyof A & string]: A[K] extends { readonly isHidden: true } | { readonly isUnaudited: true }
    ? never
    : A[K] extends { readonly kind: 'party' }
      ? `${K}_id`
      : K
}[keyof A & string]

/** The names of attributes with these options, such as `{ isPlainField: true }`. */
export type NamesWith<A extends Attributes, O> = { [K in keyof A & string]: A[K] extends O ? K : never }[keyof A & string]

/** The attributes with an option, with names, in order. */
export function attributesWith<const A extends Attributes, O extends keyof Attribute>(
  attributes: A,
  option: O,
): ReadonlyArray<readonly [name: NamesWith<A, Readonly<Record<O, unknown>>>, attribute: Attribute]> {
  // The option is set where the type of the attribute has it.
  return Object.entries(attributes).filter(([, attribute]) => attribute[option] !== undefined) as Array<
    [NamesWith<A, Readonly<Record<O, unknown>>>, Attribute]
  >
}

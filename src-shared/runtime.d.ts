/**
 * What Node and browsers both have beyond the language itself, as far as the shared code uses it. Only `tsconfig.shared.json`
 * reads this: there, whatever only one of the two has is a type error.
 */
declare class URL {
  static parse(url: string): URL | null
  readonly protocol: string
  readonly username: string
  readonly password: string
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean })
  decode(input?: Uint8Array, options?: { stream?: boolean }): string
}

declare function structuredClone<T>(value: T): T

/**
 * What Node and browsers share beyond the language itself, as far as shared code uses it. Only `tsconfig.shared.json` includes this: there, anything
 * that only one of the two has is a type error.
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

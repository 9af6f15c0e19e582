/** What is asked of any object by the language and by tools, and may be missing. */
const askedOfAnything = new Set(['then', 'toJSON', 'constructor', 'asymmetricMatch', '__esModule', 'nodeType', 'domain'])

/** An object that throws when something is read of it that it has not: no test passes because the stand-in was silent. */
export function strict<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get: (target, key, receiver) => {
      if (typeof key === 'symbol' || key in target || askedOfAnything.has(key)) return Reflect.get(target, key, receiver) as unknown
      throw new Error(`stand-in: ${name}.${key} is not implemented`)
    },
  })
}

/** The newest version of each record, by `uid`, that a write of this page was answered with. */
const versions = new Map<string, number>()
const mostKept = 5000
let running = 0
let waiting: Array<() => void> = []

/** Notes that a write was sent; what it returns is called with the parsed response, or with null where there is none. */
export function beginWrite(): (response: unknown) => void {
  running += 1
  return (response) => {
    note(response)
    running -= 1
    if (running > 0) return
    const resolve = waiting
    waiting = []
    for (const go of resolve) go()
  }
}

/** Resolves when no write of this page is on its way. */
export function ownWritesDone(): Promise<void> {
  return running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

/** Whether a write of this page was answered with this version of a record, or a newer one: nothing has to be read again. */
export function isOwnVersion(uid: string, version: number): boolean {
  return (versions.get(uid) ?? -1) >= version
}

function note(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if ('uid' in value && 'version' in value && typeof value.uid === 'string' && typeof value.version === 'number') {
    const newest = Math.max(versions.get(value.uid) ?? 0, value.version)
    versions.delete(value.uid)
    versions.set(value.uid, newest)
    for (const oldest of versions.keys()) {
      if (versions.size <= mostKept) break
      versions.delete(oldest)
    }
  }
  for (const part of Object.values(value)) note(part)
}

import { closeSync, openSync, writeSync } from 'node:fs'

const bufferLength = 64 * 1024

/** Writes values as JSON, one a line, to a new file, without ever holding many. */
export class LineWriter {
  readonly #file: number
  #waiting = ''

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  write(value: unknown): void {
    this.#waiting += `${JSON.stringify(value)}\n`
    if (this.#waiting.length >= bufferLength) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    this.#waiting = ''
  }
}

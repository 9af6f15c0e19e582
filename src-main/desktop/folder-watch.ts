import type { WatchProblem } from '#shared/desktop/preferences'
import type { CaptureOutcome } from './incoming-files'
import { watchFolder } from './watched-folder'

/** Handlers for files from the folder. */
export interface FolderWatchParts {
  /** Takes a file in: as a capture, or, `isTold`, as something that the person already knows of. */
  readonly take: (path: string) => Promise<CaptureOutcome & { readonly isTold?: boolean }>
  readonly onCaptured: (count: number) => void
  /** The folder or its problem has changed. */
  readonly onChange: () => void
}

/** How long to gather files before reporting them, in milliseconds. */
const gatherMs = 1000

/** The one folder that is watched, if any. */
export class FolderWatch {
  readonly #parts: FolderWatchParts
  #watch: ReturnType<typeof watchFolder> | undefined
  #problem: WatchProblem | null = null
  #captured = 0
  #timer: NodeJS.Timeout | undefined
  constructor(parts: FolderWatchParts) {
    this.#parts = parts
  }

  /** Why the folder is not being watched; null: it is, or none is chosen. */
  get problem(): WatchProblem | null {
    return this.#problem
  }

  /** Watches another folder; null: none. */
  async set(folder: string | null): Promise<void> {
    await this.#watch?.close()
    this.#watch = undefined
    this.#problem = null
    if (folder === null) return
    const { take, onChange } = this.#parts
    const told = new Set<string>()
    this.#watch = watchFolder({
      folder,
      handIn: async ({ path }) => {
        const { problem, isTold } = await take(path)
        if (isTold) told.add(path)
        return problem === undefined ? { kind: 'stored' } : { kind: 'refused', message: problem }
      },
      onStored: ({ path }) => told.delete(path) || this.#tellSoon(),
      onRefused: ({ file_name }, message) => this.#say({ kind: 'refused', file_name, message }),
      onProblem: (kind) => {
        this.#problem = kind === null ? null : { kind }
        onChange()
      },
    })
  }

  #say(problem: WatchProblem): void {
    this.#problem = problem
    this.#parts.onChange()
  }

  /** A scanner that writes ten pages is one occasion. */
  #tellSoon(): void {
    this.#captured += 1
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#parts.onCaptured(this.#captured)
      this.#captured = 0
    }, gatherMs)
  }
}

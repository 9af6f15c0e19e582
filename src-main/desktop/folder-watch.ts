import type { WatchProblem } from '#shared/desktop/preferences'
import type { CaptureOutcome } from './incoming-files'
import { watchFolder } from './watched-folder'

/** The handlers of a watched folder. */
export interface FolderWatchParts {
  /** Takes a file: as a capture, or, with `isTold`, as something that the person already knows about. */
  readonly take: (path: string) => Promise<CaptureOutcome & { readonly isTold?: boolean }>
  readonly onCaptured: (count: number) => void
  /** Called when the folder or its problem has changed. */
  readonly onChange: () => void
}

/** How long to collect files before reporting them, in milliseconds. */
const gatherMs = 1000

/** The watched folder, if there is one. */
export class FolderWatch {
  readonly #parts: FolderWatchParts
  #watch: ReturnType<typeof watchFolder> | undefined
  #problem: WatchProblem | null = null
  #captured = 0
  #timer: NodeJS.Timeout | undefined
  constructor(parts: FolderWatchParts) {
    this.#parts = parts
  }

  /** Why the folder is not being watched; null if it is, or if none is chosen. */
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

  /** Reports together: a scanner that writes ten pages is one event. */
  #tellSoon(): void {
    this.#captured += 1
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#parts.onCaptured(this.#captured)
      this.#captured = 0
    }, gatherMs)
  }
}

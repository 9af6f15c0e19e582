import { app } from 'electron'
import { linkAmong, pathOfLink } from './deep-link'
import type { Desktop } from './desktop'
import { filesAmong } from './incoming-files'
import type { Windows } from './windows'

/**
 * Links and files from the system, by events (macOS), or by arguments of a second start (elsewhere) or this one. Links wait for the first window, and
 * files for the desktop.
 */
export class Arrivals {
  #windows: Windows | undefined
  #desktop: Desktop | undefined
  #link = linkAmong(process.argv)
  readonly #files: string[] = []

  /** Listens before the program is ready, as macOS sends these events early. */
  listen(): void {
    app.on('open-url', (event, link) => {
      event.preventDefault()
      this.#openLink(link)
    })
    app.on('open-file', (event, path) => {
      event.preventDefault()
      this.#openFiles([path])
    })
    app.on('second-instance', (_event, argv) => {
      this.#windows?.openMain()
      const link = linkAmong(argv)
      if (link !== undefined) this.#openLink(link)
      void filesAmong(argv).then((paths) => this.#openFiles(paths))
    })
    app.on('activate', () => this.#windows?.openMain())
  }

  /** Opens the first window, at the waiting link if there is one. */
  openIn(windows: Windows): void {
    this.#windows = windows
    windows.openMain(this.#link === undefined ? undefined : pathOfLink(this.#link))
  }

  async deliverTo(desktop: Desktop): Promise<void> {
    this.#desktop = desktop
    this.#openFiles([...this.#files, ...(await filesAmong(process.argv))])
  }

  /** Ignores links that are not Outlay's. */
  #openLink(link: string): void {
    const path = pathOfLink(link)
    if (!this.#windows) this.#link = link
    else if (path !== undefined) this.#windows.openMain(path)
  }

  #openFiles(paths: readonly string[]): void {
    if (paths.length === 0) return
    if (this.#desktop) void this.#desktop.captureAll(paths)
    else this.#files.push(...paths)
  }
}

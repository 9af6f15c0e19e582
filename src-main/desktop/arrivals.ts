import { app } from 'electron'
import { linkAmong, pathOfLink } from './deep-link'
import type { Desktop } from './desktop'
import { filesAmong } from './incoming-files'
import type { Windows } from './windows'

/**
 * Links and files that the system brings, by events (a Mac), by the arguments of a second start (elsewhere) or of this one. Links
 * that come before there is a window wait for it, and files for the desktop.
 */
export class Arrivals {
  #windows: Windows | undefined
  #desktop: Desktop | undefined
  #link = linkAmong(process.argv)
  readonly #files: string[] = []

  /** Listens from before the program is ready, since a Mac sends these events early. */
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

  /** Opens the first window where a link that waited leads to. */
  openIn(windows: Windows): void {
    this.#windows = windows
    windows.openMain(this.#link === undefined ? undefined : pathOfLink(this.#link))
  }

  /** Hands the desktop the files that waited. */
  async deliverTo(desktop: Desktop): Promise<void> {
    this.#desktop = desktop
    this.#openFiles([...this.#files, ...(await filesAmong(process.argv))])
  }

  /** Ignores everything that is not a link of ours. */
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

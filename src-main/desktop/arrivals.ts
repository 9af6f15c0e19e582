import { app } from 'electron'
import { linkAmong, pathOfLink } from './deep-link'
import type { Desktop } from './desktop'
import { filesAmong } from './incoming-files'

/**
 * Links and files that the system brings, by events (a Mac), by the arguments of a second start (elsewhere) or of this one. What
 * comes before the desktop is up waits for it.
 */
export class Arrivals {
  #desktop: Desktop | undefined
  #link = linkAmong(process.argv)
  readonly #files: string[] = []

  /** Listens; from before the program is ready on, since a Mac tells that early. */
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
      this.#desktop?.windows.openMain()
      const link = linkAmong(argv)
      if (link !== undefined) this.#openLink(link)
      void filesAmong(argv).then((paths) => this.#openFiles(paths))
    })
    app.on('activate', () => this.#desktop?.windows.openMain())
  }

  /** Puts the desktop up where a link that waited leads to, and hands it the files that waited. */
  async deliverTo(desktop: Desktop): Promise<void> {
    this.#desktop = desktop
    await desktop.open(this.#link === undefined ? undefined : pathOfLink(this.#link))
    this.#openFiles([...this.#files, ...(await filesAmong(process.argv))])
  }

  /** What is no link of ours is ignored. */
  #openLink(link: string): void {
    const path = pathOfLink(link)
    if (!this.#desktop) this.#link = link
    else if (path !== undefined) this.#desktop.windows.openMain(path)
  }

  #openFiles(paths: readonly string[]): void {
    if (paths.length === 0) return
    if (this.#desktop) void this.#desktop.captureAll(paths)
    else this.#files.push(...paths)
  }
}

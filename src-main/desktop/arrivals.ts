import { app } from 'electron'
import { pagePath } from '#shared/desktop/bridge'
import type { Desktop } from './desktop'
import { filesAmong } from './incoming-files'
import type { Windows } from './windows'

/** The scheme of links that open Outlay at a place: `outlay://expenses/123`. */
export const linkScheme = 'outlay'

/** The screen's path for each kind of link; `id` is digits. */
const places: Readonly<Record<string, (id: string) => string>> = {
  expenses: (id) => (id === '' ? '/my-expenses' : `/expenses/${id}`),
  review: (id) => joined('/review', id),
  reimbursements: (id) => joined('/reimbursements', id),
  advancements: () => '/advances',
  accountabilities: (id) => joined('/accountabilities', id),
  'pre-expenses': (id) => joined('/pre-expenses', id),
  'corporative-cards': (id) => joined('/cards', id),
  capture: () => '/capture',
  sync: () => '/sync',
  settings: () => '/settings',
}

function joined(path: string, id: string): string {
  return id === '' ? path : `${path}/${id}`
}

/** The path that a deep link opens; undefined for other links, which are ignored. */
function pathOfLink(link: string): string | undefined {
  const [, place = '', id = ''] = new RegExp(`^${linkScheme}://([a-z-]{1,40})/?(\\d{0,15})/?$`).exec(link) ?? []
  const path = Object.hasOwn(places, place) ? places[place]?.(id) : undefined
  return path !== undefined && pagePath.safeParse(path).success ? path : undefined
}

/** The first deep link among the program's arguments. */
function linkAmong(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${linkScheme}://`))
}

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

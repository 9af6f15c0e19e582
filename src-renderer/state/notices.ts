import { createPageStore } from '../api/page/page-state'

/**
 * What was done last. `spoken`: more that a screen reader says, where the screen shows it elsewhere. `link`: where it can be seen. `actId`: the act of the
 * undo stack that it was, where it can be undone.
 */
export type DoneNotice = {
  readonly message: string
  readonly spoken?: string
  readonly link?: { readonly label: string; readonly href: string } | undefined
  readonly actId?: number | undefined
}

/** A failure. `title`: what happened; `message`: what is kept and what to do. */
export type FailureNotice = { readonly title: string; readonly message: string }

type Status = { readonly done: DoneNotice | null; readonly failures: readonly FailureNotice[]; readonly spoken: readonly Announcement[] }

/** What a screen reader says. `turn` makes a text that comes twice be read twice. */
type Announcement = { readonly text: string; readonly turn: number }

/** How long an announcement stays, next to the one that follows it, for a screen reader that is not free yet: what was done, and then a row count. */
const announcedMs = 2000

/** The text of the status line and of the screen reader's announcements. */
export const useStatus = createPageStore<Status>(() => ({ done: null, failures: [], spoken: [] }))

/** Never begins again: the timer of an announcement may outlive the store's content. */
let lastTurn = 0

/** Has a screen reader say `text` when it is free, without showing it: a row count after a filter. */
export function announce(text: string): void {
  lastTurn += 1
  const turn = lastTurn
  useStatus.setState(({ spoken }) => ({ spoken: [...spoken, { text, turn }] }))
  setTimeout(() => useStatus.setState(({ spoken }) => ({ spoken: spoken.filter((one) => one.turn >= turn) })), announcedMs)
}

/** Shows that something is done, in the place of what was done before. */
export function notifyDone(message: string, more: Omit<DoneNotice, 'message'> = {}): void {
  announce(more.spoken === undefined ? message : `${message} ${more.spoken}`)
  useStatus.setState({ done: { message, ...more } })
}

/** Shows that something failed, until it is dismissed. The same failure twice is shown once. */
export function notifyFailure({ title, message }: FailureNotice): void {
  announce(`${title} ${message}`)
  const isNew = (known: FailureNotice) => known.title !== title || known.message !== message
  useStatus.setState(({ failures }) => ({ failures: [...failures.filter(isNew), { title, message }] }))
}

/** Dismisses the failure that is shown; the one before it is shown again. */
export function dismissFailure(): void {
  useStatus.setState(({ failures }) => ({ failures: failures.slice(0, -1) }))
}

/** Empties the line of what was done. */
export function dismissDone(): void {
  useStatus.setState({ done: null })
}

import { create } from 'zustand'

type Announcement = { text: string; turn: number }

const useAnnouncement = create<Announcement>()(() => ({ text: '', turn: 0 }))

/** Has a screen reader say `text` when it is free: the result of a batch, a row count after a filter. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }))
}

/** Where announcements are written. Once, in the app. The turn makes a text that comes twice be read twice. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement()
  return (
    <div className="visually-hidden" aria-live="polite" role="status">
      <span key={turn}>{text}</span>
    </div>
  )
}

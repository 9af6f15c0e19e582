import { create } from 'zustand'

/** How the program stands to the other devices. `waiting`: writes not yet confirmed. */
export type Connection =
  { kind: 'local'; waiting: number } | { kind: 'online'; waiting: number } | { kind: 'offline'; waiting: number }

/** Who is signed in. */
export type FrameUser = { id: number; name: string; email: string }

/** An organization the user belongs to. */
export type FrameOrganization = { id: number; name: string }

/** What the frame shows around every screen; `counts` are live, by screen id. */
export type FrameState = {
  user: FrameUser | null
  organizations: readonly FrameOrganization[]
  counts: Readonly<Record<string, number>>
  connection: Connection
  signOut: (() => void) | null
}

/** The frame's data, filled by whoever holds the session: `useFrame.setState({ counts })`. */
export const useFrame = create<FrameState>()(() => ({
  user: null,
  organizations: [],
  counts: {},
  connection: { kind: 'local', waiting: 0 },
  signOut: null,
}))

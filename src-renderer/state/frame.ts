import type { ReplicaState } from '#shared/contract/instance/replica'
import { createPageStore } from '../api/page/page-state'

/** The connection of this browser to its server. `waiting`: local writes that have not reached it. */
export type Connection = { kind: 'local'; waiting: number } | { kind: 'online'; waiting: number } | { kind: 'offline'; waiting: number }

/** Who is signed in. */
export type FrameUser = { id: number; name: string; email: string }

/** An organization the user belongs to. */
export type FrameOrganization = { id: number; name: string }

/**
 * What the frame shows around every screen; `counts` are live, by screen id. `sync`: the sync status, if there is a
 * remote.
 */
export type FrameState = {
  user: FrameUser | null
  organizations: readonly FrameOrganization[]
  counts: Readonly<Record<string, number>>
  connection: Connection
  sync: ReplicaState | null
  signOut: (() => void) | null
}

/** The frame's data, filled by the owner of the session: `useFrame.setState({ counts })`. */
export const useFrame = createPageStore<FrameState>(() => ({
  user: null,
  organizations: [],
  counts: {},
  connection: { kind: 'local', waiting: 0 },
  sync: null,
  signOut: null,
}))

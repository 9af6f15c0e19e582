/** The steps of an exchange with the remote, in their order; `rewind` and `snapshot` only where they are needed. */
export const steps = ['handshake', 'rewind', 'snapshot', 'settle', 'leases', 'uploads', 'push', 'pull', 'verify', 'downloads'] as const
export type Step = (typeof steps)[number]

/** What a step came to. */
export const events = [
  /** It is done. */
  'done',
  /** It made progress and continues. */
  'more',
  /** What the user may see has changed, or nothing is here yet: a snapshot is needed. */
  'scopes',
  /** The remote's history is another than the one that was followed. */
  'diverged',
  /** The remote cannot be reached, or asks to wait. */
  'unreachable',
  /** A person has to decide. */
  'stopped',
] as const
export type Event = (typeof events)[number]

/** Where an exchange is; it ends as `synced`, `offline` or `stopped`. */
export type State =
  { readonly kind: 'running'; readonly step: Step; readonly snapshots: number } | { readonly kind: 'synced' | 'offline' | 'stopped' }

/** Where every exchange begins. */
export const start: State = { kind: 'running', step: 'handshake', snapshots: 0 }

/** A snapshot that leads to another that leads to another, or a history that is never the same, cannot be followed. */
const maxSnapshots = 3

/**
 * The next state of an exchange. Pure: the database holds completed and remaining work, so an exchange interrupted at any
 * point restarts with the handshake and continues where it was.
 */
export function next(state: State, event: Event): State {
  if (state.kind !== 'running') return state
  const { snapshots } = state
  const go = (to: Step): State => ({ kind: 'running', step: to, snapshots })
  switch (event) {
    case 'unreachable':
      return { kind: 'offline' }
    case 'stopped':
      return { kind: 'stopped' }
    case 'more':
      return state
    case 'diverged':
      return snapshots >= maxSnapshots ? { kind: 'offline' } : go('rewind')
    case 'scopes':
      return snapshots >= maxSnapshots ? { kind: 'offline' } : { kind: 'running', step: 'snapshot', snapshots: snapshots + 1 }
    case 'done':
      return afterDone(state, go)
  }
}

function afterDone({ step, snapshots }: Extract<State, { kind: 'running' }>, go: (to: Step) => State): State {
  switch (step) {
    case 'handshake':
      return go('leases')
    case 'rewind':
      return { kind: 'running', step: 'snapshot', snapshots: snapshots + 1 }
    case 'snapshot':
      return go('settle')
    case 'settle':
      return go('leases')
    case 'leases':
      return go('uploads')
    case 'uploads':
      return go('push')
    case 'push':
      return go('pull')
    case 'pull':
      return go('verify')
    case 'verify':
      return go('downloads')
    case 'downloads':
      return { kind: 'synced' }
  }
}

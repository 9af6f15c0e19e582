/** The steps of an exchange with the remote, in order; `rewind` and `snapshot` only when needed. */
export const steps = ['handshake', 'rewind', 'snapshot', 'settle', 'leases', 'uploads', 'push', 'pull', 'verify', 'downloads'] as const
export type Step = (typeof steps)[number]

/** The result of a step. */
export const events = [
  /** The step is finished. */
  'done',
  /** The step made progress and continues. */
  'more',
  /** The user's scopes changed, or nothing is here yet: a snapshot is needed. */
  'scopes',
  /** The remote's history is not the one that was followed. */
  'diverged',
  /** The remote cannot be reached, or asks to wait. */
  'unreachable',
  /** A person must decide. */
  'stopped',
] as const
export type Event = (typeof events)[number]

/** The state of an exchange; it ends as `synced`, `offline` or `stopped`. */
export type State =
  { readonly kind: 'running'; readonly step: Step; readonly snapshots: number } | { readonly kind: 'synced' | 'offline' | 'stopped' }

/** The first state of every exchange. */
export const start: State = { kind: 'running', step: 'handshake', snapshots: 0 }

/** After this many snapshots in a row, or an ever-changing history, the exchange gives up. */
const maxSnapshots = 3

/**
 * The next state of an exchange. Pure: the database holds finished and remaining work, so an interrupted exchange restarts with the handshake and
 * continues where it stopped.
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

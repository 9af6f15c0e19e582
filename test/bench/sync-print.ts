import type { describeMachine } from './machine'
import type { SyncFigures } from './sync'
import type { PeerFigures } from './sync-peer'

/** What {@link printSync} prints. */
export interface SyncResults {
  readonly machine: ReturnType<typeof describeMachine>
  readonly figures: readonly SyncFigures[]
  readonly peer: PeerFigures | undefined
}

const names = { pull: 'first pull', changes: '1,000 changed', push: 'push of 1,000 new' }

/** Prints what was measured of replicas. */
export function printSync({ machine, figures, peer }: SyncResults, say: (text: string) => void): void {
  const row = (...cells: string[]) => say(cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(14))).join(''))
  const ms = (value: number) => `${value.toFixed(0)} ms`
  say(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, fsync ${machine.fsync_ms.toFixed(2)} ms`)
  for (const { records, exchanges, bytes_over_json, row_bytes, presence } of figures) {
    say('')
    row(`${records} expenses`, 'Outlay', 'floor', 'ratio', 'aim', 'requests', 'MB', 'MB packed')
    for (const { name, outlay_ms, floor_ms, ratio, aim, traffic } of exchanges) {
      const mb = (bytes: number) => (bytes / 1e6).toFixed(2)
      const title = Object.entries(names).find(([key]) => key === name)?.[1] ?? name
      const { requests, raw, packed, sent } = traffic
      row(title, ms(outlay_ms), ms(floor_ms), ratio.toFixed(2), `${aim}`, `${requests}`, mb(raw + sent), mb(packed + sent))
    }
    row('bytes of a row, and over its JSON', `${row_bytes.toFixed(0)}`, `${bytes_over_json.toFixed(1)}`)
    if (!presence) continue
    const { loop, list, approval, first_exchange_ms } = presence
    row('event loop during the first pull', '', '', 'p50', `${loop.p50_ms.toFixed(1)} ms`, 'p99', `${loop.p99_ms.toFixed(1)} ms`)
    row('', '', '', 'longest', `${loop.max_ms.toFixed(1)} ms`, 'in all', ms(first_exchange_ms))
    row(`${list.count} lists meanwhile`, '', '', 'p50', `${list.p50_ms.toFixed(1)} ms`, 'p99', `${list.p99_ms.toFixed(1)} ms`)
    row(`approval seen elsewhere (${approval.runs})`, '', '', 'p50', ms(approval.p50_ms), 'worst', ms(approval.worst_ms))
  }
  if (!peer) return
  say('')
  if (peer.kind === 'missing') return say(`PouchDB could not be installed: ${peer.reason}`)
  row(`PouchDB ${peer.version}, ${peer.records}`, ms(peer.pull_ms), `${peer.pull_requests} requests`)
  row('1,000 changed, push of 1,000 new', ms(peer.changes_ms), ms(peer.push_ms), `first: ${ms(peer.first_push_ms)}`)
}

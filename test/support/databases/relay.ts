import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** An address that can be moved from one database to another, as a floating one is. */
export interface Relay {
  readonly url: string
  /** Moves it; connections to where it led are cut. */
  moveTo(url: string): void
  /** Nothing passes any more, and nobody hears why, until it is called with false. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

/** Starts a relay on a free loopback port that leads to the database at an address. */
export async function startRelay(first: string): Promise<Relay> {
  let target = new URL(first)
  const open = new Set<Socket>()
  const passing = new Map<Socket, Socket>()
  let isHeld = false
  const line = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const cut = () => void [near, far].map((one) => one.destroy() && open.delete(one))
    for (const one of [near, far]) open.add(one.on('error', cut).on('close', cut))
    if (!isHeld) near.pipe(far).pipe(near)
    else near.pause()
    passing.set(near, far)
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const url = new URL(first)
  url.port = String((line.address() as AddressInfo).port)
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: url.href,
    moveTo: (next) => {
      target = new URL(next)
      cutAll()
    },
    hold: (held) => {
      isHeld = held
      for (const [near, far] of passing) {
        if (held) near.unpipe(far).pause()
        else near.pipe(far)
        if (held) far.unpipe(near).pause()
        else far.pipe(near)
      }
    },
    close: async () => {
      cutAll()
      await new Promise((resolve) => line.close(resolve))
    },
  }
}

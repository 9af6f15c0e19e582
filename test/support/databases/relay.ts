import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** An address that can be moved from one database to another, as a floating one is. */
export interface Relay {
  readonly url: string
  /** Moves it; connections to where it led are cut. */
  moveTo(url: string): void
  close(): Promise<void>
}

/** Starts a relay on a free loopback port that leads to the database at an address. */
export async function startRelay(first: string): Promise<Relay> {
  let target = new URL(first)
  const open = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const cut = () => void [near, far].map((one) => one.destroy() && open.delete(one))
    for (const one of [near, far]) open.add(one.on('error', cut).on('close', cut))
    near.pipe(far).pipe(near)
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
    close: async () => {
      cutAll()
      await new Promise((resolve) => line.close(resolve))
    },
  }
}

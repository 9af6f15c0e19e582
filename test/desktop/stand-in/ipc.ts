import { EventEmitter } from 'node:events'
import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { fromChromium } from '#test/desktop/stand-in/addresses'
import { strict } from '#test/desktop/stand-in/strict'

type Handler = (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown

/** The main end of IPC. Only what JSON can say crosses: anything else throws in the page, where Electron would clone it. */
class StandInIpcMain extends EventEmitter {
  readonly handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handlers.set(channel, handler)
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel)
  }
}

const main = new StandInIpcMain()
export const ipcMain = strict('ipcMain', main satisfies Pick<IpcMain, 'removeHandler'>)

/** What comes back of a call: a value, or an error in Electron's words. */
export type IpcResponse = { readonly value: unknown } | { readonly error: string }

/** The frame of a page that calls. */
export interface CallingFrame {
  readonly url: string
  readonly isMain: boolean
  isGone(): boolean
}

/** Carries a call of a frame to its handler. `text`: the arguments as JSON. */
export async function carryCall(
  { sender, frame }: { sender: unknown; frame: CallingFrame },
  channel: string,
  text: string,
): Promise<IpcResponse> {
  const handler = main.handlers.get(channel)
  if (!handler) return { error: `Error: No handler registered for '${channel}'` }
  const url = fromChromium(frame.url)
  const senderFrame = { url, origin: originOf(url), parent: frame.isMain ? null : {}, isDestroyed: () => frame.isGone() }
  try {
    const args = JSON.parse(text) as unknown[]
    return { value: toJson(await handler({ sender, senderFrame } as IpcMainInvokeEvent, ...args)) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** A copy of a value that JSON can say; throws for any other. */
export function toJson(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  if (text === undefined) throw new Error('stand-in: only what JSON can say crosses between processes')
  return JSON.parse(text)
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/]+/.exec(url)?.[0] ?? 'null'
}

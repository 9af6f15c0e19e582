import { type WebContents, ipcMain } from 'electron'
import type { z } from 'zod'
import {
  type CallResponses,
  type CallArgument,
  type CallName,
  type EventName,
  type Events,
  calls,
  longestArgument,
} from '#shared/desktop/bridge'
import { callChannel, eventChannel } from '#shared/desktop/channels'
import { isOurPage } from './security'

/** The handler of each call. */
export type CallHandlers = {
  readonly [Name in CallName]: (argument: CallArgument<Name>) => CallResponses[Name] | Promise<CallResponses[Name]>
}

/** A rejected call; the page gets only this message. */
export class CallError extends Error {}

/**
 * Handles calls of our own pages: only from the page itself, not from a frame inside it, and with valid arguments. Calls wait until the handlers
 * exist.
 */
export function answerCalls(handlers: () => Promise<CallHandlers>): void {
  ipcMain.handle(callChannel, async ({ senderFrame }, ...given: unknown[]) => {
    const [name, argument, ...more] = given
    const isOurs = senderFrame !== null && senderFrame.parent === null && isOurPage(senderFrame.url)
    if (!isOurs) throw new CallError('This page may not call.')
    if (!isCallName(name) || more.length > 0) throw new CallError('There is no such call.')
    return carryOut(await handlers(), name, argument)
  })
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

function carryOut<Name extends CallName>(handlers: CallHandlers, name: Name, argument: unknown) {
  return handlers[name](parseArgument(name, argument))
}

const schemas: { readonly [Name in CallName]: z.ZodType<CallArgument<Name>> } = calls

/** Validates a page's argument, and rejects an oversized one unread. */
export function parseArgument<Name extends CallName>(name: Name, argument: unknown): CallArgument<Name> {
  if (sizeOf(argument) > longestArgument) throw new CallError('The argument of this call is too large.')
  const parsed = schemas[name].safeParse(argument)
  if (!parsed.success) throw new CallError('The argument of this call is not valid.')
  return parsed.data
}

function sizeOf(argument: unknown): number {
  try {
    return JSON.stringify(argument)?.length ?? 0
  } catch {
    return Infinity
  }
}

/** Sends an event to one of our pages. */
export function notifyPage<Name extends EventName>(contents: WebContents, name: Name, event: Events[Name]): void {
  if (!contents.isDestroyed()) contents.send(eventChannel, name, event)
}

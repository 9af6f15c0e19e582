import { z } from 'zod'
import { route } from '../route'

/**
 * One record that changed. `id`: below zero while a replica has no other for it. `version`: the one it has now; null where the caller does
 * not see it, or no longer. `is_pulled`: an exchange wrote it, so that even a version that a page wrote itself may be another one now.
 */
export const recordChange = z.object({
  table: z.string(),
  id: z.int(),
  uid: z.string(),
  version: z.int().nonnegative().nullable(),
  is_pulled: z.boolean(),
})
export type RecordChange = z.output<typeof recordChange>

/**
 * State that pages show but that is not in the log: the sync status; the caller's captures, tokens, sessions, passkeys, recovery codes and exports;
 * imports, webhook deliveries, handovers and seals of organizations in which they may see them; and damage of the database, for those who may know of
 * it.
 */
export const feedTopics = [
  'replica',
  'captures',
  'api_tokens',
  'browser_sessions',
  'passkeys',
  'recovery_codes',
  'exports',
  'imports',
  'webhook_deliveries',
  'handovers',
  'audit',
  'recoveries',
] as const
export type FeedTopic = (typeof feedTopics)[number]

/**
 * An event of the feed. `changes`: changed records, in the order of commits. `topics`: other changed state; missed ones are not sent later. `reset`:
 * the changes since the listener's place are unknown; everything it shows may be out of date. `ready`: the listener starts here.
 */
export const feedEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changes'), changes: z.array(recordChange) }),
  z.object({ kind: z.literal('topics'), topics: z.array(z.enum(feedTopics)) }),
  z.object({ kind: z.literal('reset') }),
  z.object({ kind: z.literal('ready') }),
])
export type FeedEvent = z.output<typeof feedEvent>

/** The feed of open pages: server-sent events, with their position in the log of changes as `id`. */
export const feedStreams = {
  events: route({
    action: 'feed.follow',
    name: 'feed.events',
    summary:
      'Server-sent events that name each record that changed and that the caller may see, and other state of theirs; `Last-Event-ID` resumes after an event',
    method: 'GET',
    path: '/events',
    params: z.object({}),
    query: z.object({}),
    body: z.unknown(),
    response: z.string(),
    media: { response: 'text/event-stream' },
    status: 200,
  }),
}

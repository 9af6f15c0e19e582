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
 * State that pages show and that is no record of the log: the sync status, the caller's captures, tokens, sessions, passkeys, recovery codes and exports, the imports and webhook
 * deliveries of organizations whose imports and webhooks they manage, handovers and seals of those whose handovers and audit trail they see, and damage of the database, for those who may know of it.
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
 * An event of the feed. `changes`: records that changed, in the order of the commits. `topics`: other state that changed; what was missed
 * of it is not sent later. `reset`: what happened since the place that the listener named is not known; everything it shows may be out of
 * date. `ready`: the listener starts here.
 */
export const feedEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changes'), changes: z.array(recordChange) }),
  z.object({ kind: z.literal('topics'), topics: z.array(z.enum(feedTopics)) }),
  z.object({ kind: z.literal('reset') }),
  z.object({ kind: z.literal('ready') }),
])
export type FeedEvent = z.output<typeof feedEvent>

/** The feed of open pages: server-sent events, each with its place in the log of changes as `id`. */
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

import type { Readable } from 'node:stream'
import type { Operation } from '#shared/contract/sync'
import type { Route } from '#shared/contract/route'
import type { Language } from '#shared/domain/locales'
import type { Scopes } from '#shared/domain/doors/scopes'
import type { ReceivedFile } from '#main/files/blob-store'
import type { Actor, Minter } from '#main/store/core/store'

/** Who asks: the authenticated user. */
export interface Caller {
  readonly user_id: number
  readonly locale: Language | null
  /** How they came in: with a token, by the browser's session, or as the local user of the desktop. */
  readonly way: 'token' | 'session' | 'local'
  /** The session's hash, when there is one, so that it can be ended. */
  readonly session_hash: string | null
  /** What their API token lets them do, also where it began the session. */
  readonly scopes: Scopes
  /** When their token or session ends, as an ISO instant. */
  readonly ends_at: string | null
  /** When the API token ends that they came with, or with which they began the session. */
  readonly token_ends_at: string | null
}

/** Who sends a command, and how it came. Commands that one brings about have the same sender. */
export interface Sender {
  readonly caller: Caller
  /** The language of the response. */
  readonly locale: Language
  /** The way in, for the audit trail. */
  readonly origin: 'api' | 'app' | 'batch' | 'sync'
  readonly request_id: string
  /** {scheme}://{host} by which the caller reached us: absolute addresses in responses begin with it. */
  readonly base_url: string
  /** The network address that the request came from. */
  readonly source: string
  /** The program that sent it, as it calls itself. */
  readonly user_agent?: string | undefined
  /** What only the browser has that began to sign in at an OpenID provider. */
  readonly openid_secret?: string | undefined
}

/** What is asked of an endpoint, in the contract's terms: values as JSON holds them, which the pipeline parses by the route. */
export interface Asked<R extends Route = Route> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** Bytes that were sent; no file where there were more than the route takes. */
export interface Received {
  readonly sha256: string
  readonly file: ReceivedFile | undefined
}

/** One operation: an endpoint, what is asked of it, and by whom. From the network, from a batch, from a replica, from other code. */
export interface Command extends Asked {
  readonly sender: Sender
  /** The version that the caller has seen, as an entity tag. */
  readonly if_match?: string | undefined
  /** A repeat under the same key gets the first response. */
  readonly key?: string | undefined
  /** Where it was asked: two requests under one key at two addresses differ, and links of pages begin with it. */
  readonly address?: string
  /** Entity tags of what the caller has already. `etag`: the contract's own request header (4.9). */
  readonly seen?: { readonly if_none_match: string | undefined; readonly etag: string | undefined }
  /** What was sent, where the route takes no JSON: it is read as it comes. `bytes`: how many were announced with it. */
  readonly content?: { readonly stream: Readable; readonly bytes: number }
  /** What has come of that. */
  readonly received?: Received
  /** Stored files that the body names, each at its place. */
  readonly blobs?: Operation['blobs']
  /** The operation of a replica that this carries out, and the identities it minted. */
  readonly operation?: { readonly op_id: string; readonly minter: Minter }
}

/** Who acts, for the audit trail. */
export function actorOf({ sender, if_match, operation }: Command): Actor {
  const { caller, origin, request_id } = sender
  return { user_id: caller.user_id, origin, request_id, if_match: if_match ?? null, ...(operation && { op_id: operation.op_id }) }
}

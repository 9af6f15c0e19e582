import type { Readable } from 'node:stream'
import type { Operation } from '#shared/contract/sync'
import type { Route } from '#shared/contract/route'
import type { Language } from '#shared/domain/locales'
import type { Scopes } from '#shared/domain/doors/scopes'
import type { ReceivedFile } from '#main/files/blob-store'
import type { Actor, Minter } from '#main/store/core/store'

/** The authenticated user. */
export interface Caller {
  readonly user_id: number
  readonly locale: Language | null
  /** How they authenticated: with a token, a browser session, or as the local user of the desktop. */
  readonly way: 'token' | 'session' | 'local'
  /** The session's hash, used to end it; null without a session. */
  readonly session_hash: string | null
  /** The scopes of their API token, also if it only began the session. */
  readonly scopes: Scopes
  /** When their token or session ends, as an ISO instant. */
  readonly ends_at: string | null
  /** When the API token ends with which they authenticated or began the session. */
  readonly token_ends_at: string | null
}

/** Who sends a command, and how it came. Commands that it triggers have the same sender. */
export interface Sender {
  readonly caller: Caller
  readonly locale: Language
  /** The origin for the audit trail. */
  readonly origin: 'api' | 'app' | 'batch' | 'sync'
  readonly request_id: string
  /** {scheme}://{host} that the caller used; absolute addresses in responses begin with it. */
  readonly base_url: string
  readonly source: string
  readonly user_agent?: string | undefined
  /** The secret of the browser that began a sign-in at an OpenID provider. */
  readonly openid_secret?: string | undefined
}

/** What is asked of an endpoint, in the contract's terms: unparsed JSON values, which the pipeline parses by the route. */
export interface Asked<R extends Route = Route> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** Received bytes; without a file if there were more than the route takes. */
export interface Received {
  readonly sha256: string
  readonly file: ReceivedFile | undefined
}

/** One operation: an endpoint, its input, and its sender. It comes from the network, a batch, a replica, or other code. */
export interface Command extends Asked {
  readonly sender: Sender
  /** The entity tag of the version that the caller has seen. */
  readonly if_match?: string | undefined
  /** A repeat under the same key gets the first response. */
  readonly key?: string | undefined
  /** The requested address. The same key at two addresses is two requests; page links begin with it. */
  readonly address?: string
  /** Entity tags that the caller has already. `etag`: the contract's own request header (4.9). */
  readonly seen?: { readonly if_none_match: string | undefined; readonly etag: string | undefined }
  /** The content of a route without JSON, read as it arrives. `bytes`: the announced size. */
  readonly content?: { readonly stream: Readable; readonly bytes: number }
  /** The content after it was received. */
  readonly received?: Received
  /** Stored files that the body names, by their place in it. */
  readonly blobs?: Operation['blobs']
  /** The replica's operation behind this command, and the ids that it minted. */
  readonly operation?: { readonly op_id: string; readonly minter: Minter }
}

/** The actor for the audit trail. */
export function actorOf({ sender, if_match, operation }: Command): Actor {
  const { caller, origin, request_id } = sender
  return { user_id: caller.user_id, origin, request_id, if_match: if_match ?? null, ...(operation && { op_id: operation.op_id }) }
}

import type { Row } from '#db/schema'
import { type Scopes, parseScopes } from '#shared/domain/doors/scopes'
import { apiTokenRoutes } from '#shared/contract/instance/api-tokens'
import { listApiTokens } from '#main/store/records/users/api-token-reader'
import { assertGrantable, createToken, getOwnToken, revokeToken } from '#main/use-cases/users/tokens'
import { type Endpoint, mutation, query } from '../endpoint'
import { pageOfAll } from '../paging'

function toToken({ id, uid, description, created_at, last_used_at, scopes, expires_at }: Row<'api_tokens'>) {
  return { id, uid, description, created_at, last_used_at, scopes: toList(parseScopes(scopes)), expires_at }
}

function toList(scopes: Scopes) {
  return scopes && [...scopes]
}

/** The caller's API tokens (contract section 5). */
export const apiTokenEndpoints: Endpoint[] = [
  query(apiTokenRoutes.list, async ({ reader, caller }, { list }) => {
    const { rows, frame, next } = pageOfAll(list, await listApiTokens(reader, caller.user_id))
    return { body: { ...frame, tokens: rows.map(toToken) }, next }
  }),
  mutation(apiTokenRoutes.create, async ({ tx, caller }, { body }) => {
    assertGrantable(caller, body)
    const { token_id, token } = await createToken(tx, { user_id: caller.user_id, ...body })
    return { body: { ...toToken(await getOwnToken(tx, token_id)), token } }
  }),
  mutation(apiTokenRoutes.destroy, async ({ tx }, { params }) => {
    await revokeToken(tx, params.id)
    return { body: null }
  }),
]

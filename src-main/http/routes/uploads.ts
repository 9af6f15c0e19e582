import { uploadRoutes } from '#shared/contract/uploads'
import { type Endpoint, query } from '../endpoint'
import { credentialsFor } from '../uploads'

/** Upload credentials (contract 4.16, step 1). */
export const uploadEndpoints: Endpoint[] = [
  query(uploadRoutes.credentials, ({ deps, base_url, caller: { user_id } }) =>
    Promise.resolve({ body: credentialsFor({ deps, base_url, user_id }), headers: { 'cache-control': 'no-store' } }),
  ),
]

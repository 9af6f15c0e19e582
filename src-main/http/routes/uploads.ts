import { uploadRoutes } from '#shared/contract/uploads'
import { type Context, type Endpoint, query } from '../endpoint'
import { credentialsFor } from '../files/uploads'

/** Upload credentials (contract 4.16, step 1). */
export const uploadEndpoints: Endpoint[] = [
  query(uploadRoutes.credentials, async ({ deps, base_url, caller: { user_id } }: Context<'bucket'>) => ({
    body: await credentialsFor({ deps, base_url, user_id }),
    headers: { 'cache-control': 'no-store' },
  })),
]

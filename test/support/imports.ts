import { vi } from 'vitest'
import type { Import } from '#shared/contract/imports'
import { type Api, type ApiResponse, type Instance } from '#test/support/instance'

/** Uploads a file to import, as its bytes. */
export async function uploadImport(
  { url }: Pick<Instance, 'url'>,
  {
    token,
    organization_id,
    bytes,
    name = 'expenses.csv',
  }: { token: string; organization_id: number; bytes: string | Buffer<ArrayBuffer>; name?: string },
): Promise<ApiResponse<Import>> {
  const response = await fetch(`${url}/api/v1/organizations/${organization_id}/imports?file_name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      'content-type': 'application/octet-stream',
      'user-agent': 'tests',
    },
    body: bytes,
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

/** The path of an import. */
export function pathOf({ organization_id, id }: Pick<Import, 'organization_id' | 'id'>): string {
  return `/organizations/${organization_id}/imports/${id}`
}

/** The import once nothing goes on with it any more. */
export async function settled(api: Api, made: Pick<Import, 'organization_id' | 'id'>): Promise<Import> {
  return vi.waitFor(
    async () => {
      const { body } = await api.get<Import>(pathOf(made))
      if (body.state === 'reading' || body.state === 'importing') throw new Error(`It is still ${body.state}.`)
      return body
    },
    { timeout: 60_000, interval: 20 },
  )
}

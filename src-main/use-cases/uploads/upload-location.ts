/** The path of {upload_url}: forms are posted to it, and Locations lie below it (contract 4.16). */
export const uploadPath = '/uploads'

/** The Location of an upload (contract 4.16, step 5). `base_url` is the scheme and host by which the caller reaches us. */
export function toLocation(base_url: string, key: string): string {
  return `${base_url}${uploadPath}/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** The key that a Location names; none for any other text. Any host is taken: the same instance answers by several names. */
export function keyOfLocation(location: string): string | undefined {
  const url = URL.parse(location.trim())
  if (url === null || url.search !== '' || url.hash !== '' || !url.pathname.startsWith(`${uploadPath}/`)) return undefined
  try {
    return decodeURIComponent(url.pathname.slice(uploadPath.length + 1))
  } catch {
    return undefined
  }
}

/** The key of an upload that a replica made of a file by its hash: the same file of the same user has the same key. */
export function syncUploadKey({ user_id, sha256, file_name }: { user_id: number; sha256: string; file_name: string }): string {
  return `${user_id}/${sha256}/${file_name}`
}

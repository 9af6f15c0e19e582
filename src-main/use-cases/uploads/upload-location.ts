/** The path of {upload_url}: forms are posted to it, and Locations are below it (contract 4.16). */
export const uploadPath = '/uploads'

/** The Location of an upload (contract 4.16, step 5). `base_url`: the scheme and host that the caller used. */
export function toLocation(base_url: string, key: string): string {
  return `${base_url}${uploadPath}/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** The key in a Location; undefined for other texts. Accepts any host, as an instance has several names. */
export function keyOfLocation(location: string): string | undefined {
  const url = URL.parse(location.trim())
  if (url === null || url.search !== '' || url.hash !== '' || !url.pathname.startsWith(`${uploadPath}/`)) return undefined
  try {
    return decodeURIComponent(url.pathname.slice(uploadPath.length + 1))
  } catch {
    return undefined
  }
}

/** The key of a replica's upload: equal for the same user, file and name. */
export function syncUploadKey({ user_id, sha256, file_name }: { user_id: number; sha256: string; file_name: string }): string {
  return `${user_id}/${sha256}/${file_name}`
}

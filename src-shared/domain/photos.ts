/** The target size of a photo: this longest side, but no shortest side below this limit, so that long receipts stay readable. */
const photoPx = { longest: 3000, shortest: 1000 }

/** The JPEG quality of a converted photo, in percent. */
export const photoQuality = 85

/** The stored size of a photo, in pixels: its own, or smaller. */
export function photoSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const [longest, shortest] = [Math.max(width, height), Math.min(width, height)]
  const scale = Math.min(1, Math.max(photoPx.longest / longest, photoPx.shortest / shortest))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** The largest accepted picture, in pixels. */
export const maxPicturePixels = 100_000_000

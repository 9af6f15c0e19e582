/** A part of a picture, in fractions of its sides: 0 to 1. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The whole picture. */
export const wholeRegion: Region = { left: 0, top: 0, width: 1, height: 1 }
/** Where a choice by keyboard begins. */
export const middleRegion: Region = { left: 0.2, top: 0.2, width: 0.6, height: 0.6 }
/** A drag that is smaller was a click. */
const leastShare = 0.01

const inside = (share: number, most = 1) => Math.min(most, Math.max(0, share))

/** The region between two points of a drag, kept in the picture; undefined for a mere click. */
export function regionBetween(a: { x: number; y: number }, b: { x: number; y: number }): Region | undefined {
  const [left, right] = [inside(Math.min(a.x, b.x)), inside(Math.max(a.x, b.x))]
  const [top, bottom] = [inside(Math.min(a.y, b.y)), inside(Math.max(a.y, b.y))]
  if (right - left < leastShare || bottom - top < leastShare) return undefined
  return { left, top, width: right - left, height: bottom - top }
}

/** The region moved by shares of the picture; it stops at the edges. */
export function moveRegion(region: Region, { x, y }: { x: number; y: number }): Region {
  return { ...region, left: inside(region.left + x, 1 - region.width), top: inside(region.top + y, 1 - region.height) }
}

/** The region with its right and lower edges moved; it stays in the picture and never vanishes. */
export function resizeRegion(region: Region, { x, y }: { x: number; y: number }): Region {
  return {
    ...region,
    width: Math.max(leastShare, Math.min(1 - region.left, region.width + x)),
    height: Math.max(leastShare, Math.min(1 - region.top, region.height + y)),
  }
}

/** The region in the pixels of a picture: at least one, all inside. */
export function toPixels({ left, top, width, height }: Region, size: { width: number; height: number }) {
  const x = Math.min(size.width - 1, Math.round(left * size.width))
  const y = Math.min(size.height - 1, Math.round(top * size.height))
  return {
    x,
    y,
    width: Math.max(1, Math.min(size.width - x, Math.round(width * size.width))),
    height: Math.max(1, Math.min(size.height - y, Math.round(height * size.height))),
  }
}

import type { Rectangle } from 'electron'
import type { WindowPlace } from './settings-file'

/** The size of a window that was never moved, and the least that the interface fits in. */
export const usualSize = { width: 1360, height: 860 }
export const leastSize = { width: 900, height: 600 }
/** How much of the title bar must be on a screen for it to be dragged. */
const reachPx = 100

/** Where a window opens: where it was, if that is on a screen still there; else in the middle, as large as the screen lets it. */
export function placeToOpen(remembered: WindowPlace | null, screens: readonly Rectangle[]): Partial<Rectangle> {
  const [first = { x: 0, y: 0, ...usualSize }] = screens
  if (remembered && screens.some((screen) => isReachable(remembered, screen))) {
    const { x, y, width, height } = remembered
    return { x, y, width: Math.max(width, leastSize.width), height: Math.max(height, leastSize.height) }
  }
  return { width: Math.min(usualSize.width, first.width), height: Math.min(usualSize.height, first.height) }
}

function isReachable({ x, y, width }: Rectangle, screen: Rectangle): boolean {
  const shown = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x)
  return shown >= reachPx && y >= screen.y && y <= screen.y + screen.height - reachPx
}

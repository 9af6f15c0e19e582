import type { Rectangle } from 'electron'
import type { WindowPlace } from './settings-file'

/** The initial size of a window, and the smallest size that fits the interface. */
export const usualSize = { width: 1360, height: 860 }
export const leastSize = { width: 900, height: 600 }
/** How much of the title bar must be on a screen so that it can be dragged. */
const reachPx = 100

/** Where a window opens: its last place if that is still on a screen, otherwise the middle, as large as the screen allows. */
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

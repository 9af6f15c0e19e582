/** A size in CSS pixels. */
export type Size = { readonly width: number; readonly height: number }

/** How a receipt is looked at. `zoom`: 1 fits it into the stage. `x`, `y`: how far its middle is from the stage's, in CSS pixels. */
export type Viewport = { readonly zoom: number; readonly quarterTurns: 0 | 1 | 2 | 3; readonly x: number; readonly y: number }

/** The whole receipt, upright and in the middle. */
export const wholeReceipt: Viewport = { zoom: 1, quarterTurns: 0, x: 0, y: 0 }

const zoomStep = 1.4
const mostZoom = 12

/** What can be done to a viewport. `pointer` of a zoom stays where it is, from the middle of the stage. */
export type ViewportStep =
  | { readonly kind: 'zoom'; readonly steps: number; readonly pointer?: { readonly x: number; readonly y: number } }
  | { readonly kind: 'whole' }
  | { readonly kind: 'turn' }
  | { readonly kind: 'pan'; readonly x: number; readonly y: number }

const turned = [1, 2, 3, 0] as const

/** The viewport after a step. */
export function stepViewport(viewport: Viewport, step: ViewportStep): Viewport {
  switch (step.kind) {
    case 'zoom': {
      const zoom = Math.min(mostZoom, Math.max(1, viewport.zoom * zoomStep ** step.steps))
      const { x, y } = step.pointer ?? { x: 0, y: 0 }
      const share = zoom / viewport.zoom
      return { ...viewport, zoom, x: x - (x - viewport.x) * share, y: y - (y - viewport.y) * share }
    }
    case 'whole':
      return { ...wholeReceipt, quarterTurns: viewport.quarterTurns }
    case 'turn':
      return { ...wholeReceipt, quarterTurns: turned[viewport.quarterTurns] }
    case 'pan':
      return { ...viewport, x: viewport.x + step.x, y: viewport.y + step.y }
  }
}

/** Where a receipt of a natural size is drawn: its size before it is turned, and a viewport that cannot lose it out of the stage. */
export function place(natural: Size, stage: Size, viewport: Viewport): { readonly size: Size; readonly viewport: Viewport } {
  const isLying = viewport.quarterTurns % 2 === 1
  const seen = isLying ? { width: natural.height, height: natural.width } : natural
  const fit = Math.min(stage.width / Math.max(1, seen.width), stage.height / Math.max(1, seen.height))
  const scale = fit * viewport.zoom
  const size = { width: natural.width * scale, height: natural.height * scale }
  const over = (room: number, length: number) => Math.max(0, (length - room) / 2)
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
  return {
    size,
    viewport: {
      ...viewport,
      x: clamp(viewport.x, over(stage.width, seen.width * scale)),
      y: clamp(viewport.y, over(stage.height, seen.height * scale)),
    },
  }
}

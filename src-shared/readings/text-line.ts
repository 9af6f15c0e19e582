import type { PlaceOnPage } from '#shared/readings/reading'

/**
 * A piece of text on a page: a line, or its part between two wide gaps. `starts`: where each character begins, from 0 (left) to 1; `place`: in the
 * file; `level`: on the straightened page, in fractions of the written area.
 */
export interface TextLine {
  readonly text: string
  /** The confidence of the text, 0 to 1; 1 if it was never an image. */
  readonly confidence: number
  readonly starts: readonly number[]
  /** The confidence of each character, 0 to 1; absent if the text was never an image. */
  readonly sure?: readonly number[] | undefined
  readonly place: PlaceOnPage
  readonly level: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

import type { PlaceOnPage } from '#shared/readings/reading'

/**
 * A piece of text on a page, as it stands there: a line, or the part of one between two wide gaps. `starts`: where each character begins, from
 * 0 (left) to 1; `place`: in the file; `level`: on the page as it was straightened, in fractions of what is written on.
 */
export interface TextLine {
  readonly text: string
  /** How sure the text is, 0 to 1; 1 where it was never a picture. */
  readonly confidence: number
  readonly starts: readonly number[]
  /** How sure each character is, 0 to 1; absent where the text was never a picture. */
  readonly sure?: readonly number[] | undefined
  readonly place: PlaceOnPage
  readonly level: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inForm } from '#test/support/form'
import { Card, cycleDays, filesOf, history } from './statement-histories'

/** How many histories, by an environment variable for a run of any length: `OUTLAY_HISTORIES=1000000`. */
const numRuns = Number(process.env.OUTLAY_HISTORIES ?? inForm(500, 30_000))
/** The usual run is the same each time. */
const size = { numRuns, ...(process.env.OUTLAY_HISTORIES === undefined && { seed: 11 }) }

describe('whatever files of a card are imported, in whatever order and how often', { timeout: 3_600_000 }, () => {
  test('its lines are the bookings of these files, or those that it lacks were said to be unsure', () => {
    fc.assert(
      fc.property(history, (card) => {
        const kept = new Card()
        for (const file of filesOf(card)) kept.import(file, false)
        expect(kept.wrong).toEqual({ doubled: [], silent: [] })
      }),
      size,
    )
  })

  test('where a person answers what is unsure, they are the bookings, and the same files again add nothing', () => {
    fc.assert(
      fc.property(history, (card) => {
        const kept = new Card()
        const files = filesOf(card)
        for (const file of files) kept.import(file, true)
        expect(kept.wrong).toEqual({ doubled: [], silent: [] })
        const before = kept.stored.length
        for (const file of files) expect(kept.import(file, true).filter(({ kind }) => kind === 'new')).toEqual([])
        expect(kept.stored).toHaveLength(before)
      }),
      size,
    )
  })

  test('of whole statements that count their instalments nothing is unsure, in whatever format', () => {
    fc.assert(
      fc.property(history, fc.constantFrom('full', 'city', 'lower', 'wallet'), (card, text) => {
        const files = card.files.map(
          (file, nth) => ({ ...file, isCut: false, text: nth % 2 === 0 ? text : file.text === 'cut' ? text : 'full' }) as const,
        )
        // Not told apart: a purchase in one part that might be an instalment without its count, and one bought on the last day of a statement.
        const purchases = card.purchases.map((one) => ({
          ...{ ...one, name: one.parts > 1 ? 'Laptop' : 'UBER TRIP' },
          day: one.parts > 1 && (one.day + 1) % cycleDays === 0 ? one.day - 1 : one.day,
        }))
        const kept = new Card()
        for (const file of filesOf({ ...card, lists: 'cycles', countsParts: true, purchases, files })) kept.import(file, false)
        expect([kept.unsure, kept.wrong]).toEqual([0, { doubled: [], silent: [] }])
      }),
      size,
    )
  })
})

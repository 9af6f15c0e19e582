import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inForm } from '#test/support/form'
import { Card, filesOf, history } from './statement-histories'

/** How many histories, by an environment variable for a run of any length: `OUTLAY_HISTORIES=1000000`. */
const numRuns = Number(process.env.OUTLAY_HISTORIES ?? inForm(500, 30_000))

describe('whatever files of a card are imported, in whatever order and how often', { timeout: 3_600_000 }, () => {
  test('its lines are the bookings of these files, or those that it lacks were said to be unsure', () => {
    fc.assert(
      fc.property(history, (card) => {
        const kept = new Card()
        for (const file of filesOf(card)) kept.import(file, false)
        expect(kept.wrong).toEqual({ doubled: [], silent: [] })
      }),
      { numRuns },
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
      { numRuns },
    )
  })
})

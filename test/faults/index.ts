import { page } from '#test/faults/page'
import { rules } from '#test/faults/rules'
import { store } from '#test/faults/store'
import { sync } from '#test/faults/sync'

/** The faults that `npm run test:faults` plants, each with the part of the program that it is in. */
export const faults = Object.entries({ rules, sync, store, page }).flatMap(([area, some]) => some.map((fault) => ({ ...fault, area })))

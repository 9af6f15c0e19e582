import { onReset } from '../api/page/page-state'
/** What files of statements end with. */
export const statementEndings = '.ofx,.qfx,.csv,.txt,.tsv,.xml,.qif,.sta,.mt940,.940,.xls,.xlsx,.pdf'

/** A statement that was dropped or chosen on another screen, for the screen of statements to take. */
let handed: File | undefined
onReset(dropHandedStatement)

/** Keeps a file until the screen of statements is open. */
export function handStatement(file: File): void {
  handed = file
}

/** The file that was handed over. A screen may be drawn more than once before it is there, so looking takes nothing away. */
export function handedStatement(): File | undefined {
  return handed
}

/** Forgets the file, once the screen of statements has it. */
export function dropHandedStatement(): void {
  handed = undefined
}

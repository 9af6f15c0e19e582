/** What files of statements end with. */
export const statementEndings = '.ofx,.qfx,.csv,.txt,.tsv,.xml,.qif'

/** A statement that was dropped or chosen on another screen, for the screen of statements to take. */
let handed: File | undefined

/** Keeps a file until the screen of statements is open. */
export function handStatement(file: File): void {
  handed = file
}

/** The file that was handed over, once. */
export function takeHandedStatement(): File | undefined {
  const file = handed
  handed = undefined
  return file
}

/** The parts into which a line is split: those given, and what is left. Undefined unless each is above zero and they come to the line. */
export function splitOf(amount_minor: number, given: readonly number[]): readonly number[] | undefined {
  const parts = [...given, given.reduce((left, part) => left - part, amount_minor)]
  return given.length > 0 && parts.every((part) => Number.isSafeInteger(part) && part > 0) ? parts : undefined
}

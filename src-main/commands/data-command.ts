import { Command } from 'commander'

/** The command line is invalid; the message is one line of usage (exit 2). */
export class CallError extends Error {}
/** The work failed; the message says what to do (exit 1). */
export class WorkFailed extends Error {}

/** The option of every command. */
export interface DataOption {
  readonly data?: string
}

/** A command that works on a data folder. */
export function dataCommand(name: string, description: string): Command {
  return new Command(name).description(description).option('--data <folder>', 'data folder')
}

/** Prints a command's result: one JSON value on standard output. */
export function print(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`)
}

/** Prints a message for the person, in addition to the result. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

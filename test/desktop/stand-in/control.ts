import { z } from 'zod'
import { app } from '#test/desktop/stand-in/app'

const request = z.object({ kind: z.literal('evaluate'), id: z.int(), text: z.string(), argument: z.unknown().optional() })

/** Runs in this process what specs pass to `app.evaluate`, as Playwright does in a real Electron; ends with the spec. */
export function answerSpecs(electron: object): void {
  if (!process.send) return
  process.on('message', (message) => void answer(electron, message))
  process.on('disconnect', () => app.exit(0))
  process.channel?.unref()
}

async function answer(electron: object, message: unknown): Promise<void> {
  const parsed = request.safeParse(message)
  if (!parsed.success) return
  const { id, text, argument } = parsed.data
  try {
    const run = new Function('electron', 'argument', `return (${text})(electron, argument)`) as (...args: unknown[]) => unknown
    process.send?.({ kind: 'evaluated', id, value: await run(electron, argument) })
  } catch (error) {
    process.send?.({ kind: 'evaluated', id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

import { type HandoverKey, stopHandover } from '../../api/exports/handovers'
import { failureText } from '../../api/failure-text'
import { notifyFailure } from '../../state/notices'

/** Stops a handover that nobody waits for any more; one that was recorded before it could be stopped stays, and a note says so. `title`: of the note. */
export async function cancelHandover(key: HandoverKey, title: string): Promise<void> {
  await stopHandover(key).catch((error: unknown) => notifyFailure({ title, message: failureText(error) }))
}

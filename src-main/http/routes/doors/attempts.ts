import { DomainError } from '#shared/domain/errors'
import type { CompositeContext } from '../../endpoint'

/**
 * Counts a sign-in attempt as failed for its network address, so that nobody can guess secrets or flood a mailbox or table. Throws {@link
 * DomainError}.
 */
export async function countAttempt({ deps, source }: CompositeContext<'failed_log_ins'>): Promise<void> {
  if (await deps.failed_log_ins.isThrottled(source)) throw new DomainError({ kind: 'throttled' })
  await deps.failed_log_ins.note(source)
}

import { DomainError } from '#shared/domain/errors'
import type { CompositeContext } from '../../endpoint'

/** Counts an attempt to sign in as a failed one of its network address, so that nobody guesses, or fills a mailbox or a table. Throws {@link DomainError}. */
export async function countAttempt({ deps, source }: CompositeContext<'failed_log_ins'>): Promise<void> {
  if (await deps.failed_log_ins.isThrottled(source)) throw new DomainError({ kind: 'throttled' })
  await deps.failed_log_ins.note(source)
}

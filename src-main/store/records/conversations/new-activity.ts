import type { ActivityEvent } from '#shared/domain/activity-events'
import type { ActivityAttribute } from '#shared/records/audited'
import type { SharedSubject } from '#shared/records/index'

/** An attribute's old and new value as the audit trail stores it. Amounts are JSON numbers in major units. */
export interface ActivityDetail {
  readonly attribute: ActivityAttribute
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
  /** The currency of an amount, if it has no detail itself because it did not change. */
  readonly currency?: string
}

/** The kind of record that an activity is about. */
export type SubjectType = SharedSubject | 'Webhook'

/** A change as the audit trail stores it (supplement, "Activities"). */
export interface NewActivity {
  readonly organization_id: number | null
  readonly subject: { readonly type: SubjectType; readonly id: number }
  /** The comment or attachment that caused the activity; absent for a change of the subject itself. */
  readonly source?: { readonly type: 'Comment' | 'Attachment'; readonly id: number }
  /** The event: `expense_created`, `comment_created`, …. Its sentence is made when it is read. */
  readonly event: ActivityEvent
  readonly details?: readonly ActivityDetail[]
}

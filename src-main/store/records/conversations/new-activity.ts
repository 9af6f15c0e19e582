import type { ActivityEvent } from '#shared/domain/activity-events'
import type { ActivityAttribute } from '#shared/records/audited'
import type { SharedSubject } from '#shared/records/index'

/** One attribute's old and new value, as they stand in the audit trail. Amounts are JSON numbers in major units. */
export interface ActivityDetail {
  readonly attribute: ActivityAttribute
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
  /** The currency of an amount, if it has no separate detail because it did not change. */
  readonly currency?: string
}

/** What an activity is about. */
export type SubjectType = SharedSubject | 'Webhook'

/** A change as the audit trail keeps it (supplement, "Activities"). */
export interface NewActivity {
  readonly organization_id: number | null
  readonly subject: { readonly type: SubjectType; readonly id: number }
  /** The comment or attachment that the activity came from; none for a change of the subject itself. */
  readonly source?: { readonly type: 'Comment' | 'Attachment'; readonly id: number }
  /** What happened: `expense_created`, `comment_created`, …; the sentence is made from it when it is read. */
  readonly event: ActivityEvent
  readonly details?: readonly ActivityDetail[]
}

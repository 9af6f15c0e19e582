import { createContext, type ReactNode } from 'react'
import type { FollowableKind } from '#shared/contract/followables'
import type { Role } from '#shared/domain/roles'

/** The record that a conversation is about. `currency`: of its amounts, where an activity names none. */
export type ConversationRecord = { readonly kind: FollowableKind; readonly id: number; readonly currency: string }

/** The signed-in user: `role` in the record's organization; `keepsSeeing`: also after leaving the participants. */
export type ConversationViewer = { readonly user_id: number | undefined; readonly role: Role | undefined; readonly keepsSeeing: boolean }

/** What the comments are given. `isWriting`: the focus is wanted where one writes; `onLeft`: the record can no longer be seen. */
export type CommentsProps = {
  followable: ConversationRecord
  viewer: ConversationViewer
  isWriting: boolean
  onWritingStarted: () => void
  onLeft: () => void
}

/** The comments and the trail of a record, as a detail shows them. */
export type Conversation = {
  readonly Comments: (props: CommentsProps) => ReactNode
  readonly Activity: (props: { followable: ConversationRecord }) => ReactNode
}

/** The conversation, drawn by a separate feature and handed to the details of all others by the app. */
export const ConversationContext = createContext<Conversation | null>(null)

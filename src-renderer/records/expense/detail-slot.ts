import type { ReactNode } from 'react'

/** A command that a key of the list sends to the detail next to it. A new `turn` is a new command, even if it is the same. */
export type DetailCommand = { readonly kind: 'edit' | 'comment' | 'receipt'; readonly turn: number }

/** What the detail beside a list is given: the expense it shows, the way to close it, and the last thing asked of it. `notice`: what the list says of the expense. */
export type DetailSlotProps = { expenseId: number; onClose: () => void; command: DetailCommand | null; notice?: ReactNode }

/** The detail of an expense as a screen takes it: drawn by another feature and passed in by the app. */
export type DetailSlot = (props: DetailSlotProps) => ReactNode

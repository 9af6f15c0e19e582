import type { ReactNode } from 'react'

/** A command that a key of the list sends to the detail next to it. A new `turn` is a new command, even if it is the same. */
export type DetailCommand = { readonly kind: 'edit' | 'comment' | 'receipt'; readonly turn: number }

/** The props of the detail next to a list: the expense it shows, the way to close it, and its last command. `notice`: the list's message about the expense. */
export type DetailSlotProps = { expenseId: number; onClose: () => void; command: DetailCommand | null; notice?: ReactNode }

/** The detail of an expense as a screen takes it: drawn by another feature and passed in by the app. */
export type DetailSlot = (props: DetailSlotProps) => ReactNode

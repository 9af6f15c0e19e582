import { Camera, ClipboardCheck, ReceiptText, Settings, type LucideIcon } from 'lucide-react'

/** A screen of the sidebar. `textKey` is in the `shell` namespace; its live count has the screen's id; `keys` goes there. */
export type ScreenEntry = { id: string; path: string; textKey: string; icon: LucideIcon; keys: string; isAtFoot?: boolean }

/** The sidebar, top to bottom. A new screen is one line here and one route. */
export const screens: readonly ScreenEntry[] = [
  { id: 'review', path: '/review', textKey: 'screen.review', icon: ClipboardCheck, keys: 'g r' },
  { id: 'capture', path: '/capture', textKey: 'screen.capture', icon: Camera, keys: 'g c' },
  { id: 'my-expenses', path: '/my-expenses', textKey: 'screen.myExpenses', icon: ReceiptText, keys: 'g m' },
  { id: 'settings', path: '/settings', textKey: 'screen.settings', icon: Settings, keys: 'g s', isAtFoot: true },
]

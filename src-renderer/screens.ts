import {
  Banknote,
  Camera,
  ChartColumn,
  ClipboardCheck,
  CreditCard,
  FileCog,
  FileUp,
  FolderKanban,
  HandCoins,
  Inbox,
  Landmark,
  LockKeyhole,
  PackageCheck,
  ReceiptText,
  RefreshCw,
  Settings,
  ShieldCheck,
  Stamp,
  Store,
  Tags,
  UserRoundCheck,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { type Action, may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'

/**
 * A screen of the sidebar. `textKey` is in the `shell` namespace; its live count has the screen's id; `keys` goes there; with
 * an `action` it is shown to those who may do that in their organization.
 */
export type ScreenEntry = {
  id: string
  path: string
  textKey: string
  icon: LucideIcon
  keys: string
  action?: Action
  /** Only where there is a remote. */
  isOfSync?: boolean
  isAtFoot?: boolean
}

/** The sidebar, top to bottom. A new screen is one line here and one route. */
const screens: readonly ScreenEntry[] = [
  { id: 'review', path: '/review', textKey: 'screen.review', icon: ClipboardCheck, keys: 'g r' },
  { id: 'capture', path: '/capture', textKey: 'screen.capture', icon: Camera, keys: 'g c' },
  { id: 'my-expenses', path: '/my-expenses', textKey: 'screen.myExpenses', icon: ReceiptText, keys: 'g m' },
  { id: 'reimbursements', path: '/reimbursements', textKey: 'screen.reimbursements', icon: Banknote, keys: 'g b' },
  { id: 'advances', path: '/advances', textKey: 'screen.advances', icon: HandCoins, keys: 'g a' },
  { id: 'accountabilities', path: '/accountabilities', textKey: 'screen.accountabilities', icon: FolderKanban, keys: 'g k' },
  { id: 'pre-expenses', path: '/pre-expenses', textKey: 'screen.preExpenses', icon: Inbox, keys: 'g p' },
  { id: 'cards', path: '/cards', textKey: 'screen.cards', icon: CreditCard, keys: 'g d' },
  { id: 'statements', path: '/statements', textKey: 'screen.statements', icon: Landmark, keys: 'g f', action: 'statement_lines.list' },
  { id: 'handovers', path: '/handovers', textKey: 'screen.handovers', icon: PackageCheck, keys: 'g h', action: 'handovers.list' },
  { id: 'reports', path: '/reports', textKey: 'screen.reports', icon: ChartColumn, keys: 'g e' },
  { id: 'team', path: '/team', textKey: 'screen.team', icon: Users, keys: 'g t', isAtFoot: true },
  { id: 'tags', path: '/tags', textKey: 'screen.tags', icon: Tags, keys: 'g l', isAtFoot: true },
  { id: 'suppliers', path: '/suppliers', textKey: 'screen.suppliers', icon: Store, keys: 'g u', isAtFoot: true },
  { id: 'policies', path: '/policies', textKey: 'screen.policies', icon: ShieldCheck, keys: 'g o', isAtFoot: true },
  { id: 'approvals', path: '/approvals', textKey: 'screen.approvals', icon: Stamp, keys: 'g v', isAtFoot: true },
  {
    id: 'export-profiles',
    path: '/export-profiles',
    textKey: 'screen.exportProfiles',
    icon: FileCog,
    keys: 'g x',
    action: 'export_profiles.list',
    isAtFoot: true,
  },
  { id: 'stand-ins', path: '/stand-ins', textKey: 'screen.standIns', icon: UserRoundCheck, keys: 'g n', isAtFoot: true },
  {
    id: 'closings',
    path: '/closings',
    textKey: 'screen.closings',
    icon: LockKeyhole,
    keys: 'g z',
    action: 'closings.write',
    isAtFoot: true,
  },
  { id: 'webhooks', path: '/webhooks', textKey: 'screen.webhooks', icon: Webhook, keys: 'g w', action: 'webhooks.manage', isAtFoot: true },
  { id: 'import', path: '/import', textKey: 'screen.import', icon: FileUp, keys: 'g i', action: 'expenses.import', isAtFoot: true },
  { id: 'sync', path: '/sync', textKey: 'screen.sync', icon: RefreshCw, keys: 'g y', isOfSync: true, isAtFoot: true },
  { id: 'settings', path: '/settings', textKey: 'screen.settings', icon: Settings, keys: 'g s', isAtFoot: true },
]

/** The screens for a person with this role in the current organization. */
export function screensFor(role: Role | undefined, { hasRemote }: { hasRemote: boolean }): ScreenEntry[] {
  return screens.filter(({ action, isOfSync }) => (action === undefined || may(action, { role })) && (isOfSync !== true || hasRemote))
}

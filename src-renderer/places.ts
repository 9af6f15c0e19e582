import {
  Banknote,
  CalendarCheck,
  Camera,
  ChartColumn,
  ClipboardCheck,
  CreditCard,
  FolderKanban,
  HandCoins,
  ReceiptText,
  Settings,
  type LucideIcon,
} from 'lucide-react'
import { type Action, may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'

/**
 * A screen. `textKey` is in the `shell` namespace, under `words` and its id what people call it otherwise; its live count has its id; `keys`
 * goes there. With an `action` it is for those who may do that in their organization, with `unless` for the others.
 */
export type Screen = {
  readonly id: string
  readonly path: string
  readonly textKey: string
  readonly keys?: string
  readonly action?: Action
  readonly unless?: Action
  /** Only where there is a remote, or in the desktop application. */
  readonly needs?: 'remote' | 'desktop'
  /** Under which heading of its place; see `Place`. */
  readonly group?: 'mine' | 'organization' | 'computer'
}

/** An entry of the sidebar, which leads to its first screen: one screen, or several that belong together, with a line or a column that leads among them. */
export type Place = {
  readonly id: string
  readonly textKey: string
  readonly icon: LucideIcon
  readonly group?: 'money' | 'books'
  readonly isAtFoot?: boolean
  readonly screens: readonly Screen[]
}

/** What the program has where this person is. */
export type PlaceConditions = { readonly hasRemote: boolean; readonly isDesktop: boolean }

const only = (screen: Screen, place: Pick<Place, 'icon' | 'group'>): Place => ({
  ...place,
  id: screen.id,
  textKey: screen.textKey,
  screens: [screen],
})

/** The sidebar, top to bottom. A new screen is one line here and one route. */
const places: readonly Place[] = [
  only({ id: 'review', path: '/review', textKey: 'screen.review', keys: 'g r' }, { icon: ClipboardCheck }),
  only({ id: 'capture', path: '/capture', textKey: 'screen.capture', keys: 'g c' }, { icon: Camera }),
  only({ id: 'my-expenses', path: '/my-expenses', textKey: 'screen.myExpenses', keys: 'g m' }, { icon: ReceiptText }),
  only(
    { id: 'reimbursements', path: '/reimbursements', textKey: 'screen.toPay', keys: 'g b', action: 'reimbursements.write' },
    { icon: Banknote, group: 'money' },
  ),
  only(
    { id: 'reimbursements', path: '/reimbursements', textKey: 'screen.reimbursements', keys: 'g b', unless: 'reimbursements.write' },
    { icon: Banknote, group: 'money' },
  ),
  only({ id: 'advances', path: '/advances', textKey: 'screen.advances', keys: 'g a' }, { icon: HandCoins, group: 'money' }),
  only(
    { id: 'accountabilities', path: '/accountabilities', textKey: 'screen.accountabilities', keys: 'g k' },
    { icon: FolderKanban, group: 'money' },
  ),
  {
    id: 'cards',
    textKey: 'place.cards',
    icon: CreditCard,
    group: 'books',
    screens: [
      { id: 'statements', path: '/statements', textKey: 'screen.statements', keys: 'g f', action: 'statement_lines.list' },
      { id: 'pre-expenses', path: '/pre-expenses', textKey: 'screen.preExpenses', keys: 'g p' },
      { id: 'cards', path: '/cards', textKey: 'screen.cards', keys: 'g d' },
    ],
  },
  only({ id: 'reports', path: '/reports', textKey: 'screen.reports', keys: 'g e' }, { icon: ChartColumn, group: 'books' }),
  {
    id: 'month-end',
    textKey: 'place.monthEnd',
    icon: CalendarCheck,
    group: 'books',
    screens: [
      { id: 'closings', path: '/closings', textKey: 'screen.closings', keys: 'g z', action: 'closings.write' },
      { id: 'handovers', path: '/handovers', textKey: 'screen.handovers', keys: 'g h', action: 'handovers.list' },
      { id: 'export-profiles', path: '/export-profiles', textKey: 'screen.exportProfiles', keys: 'g x', action: 'export_profiles.list' },
      { id: 'audit', path: '/audit', textKey: 'screen.audit', action: 'audit.read' },
    ],
  },
  {
    id: 'settings',
    textKey: 'screen.settings',
    icon: Settings,
    isAtFoot: true,
    screens: [
      { id: 'profile', path: '/settings', textKey: 'screen.profile', keys: 'g s', group: 'mine' },
      { id: 'notifications', path: '/settings/notifications', textKey: 'screen.notifications', group: 'mine' },
      { id: 'sign-in', path: '/settings/sign-in', textKey: 'screen.signIn', group: 'mine' },
      {
        id: 'organization',
        path: '/settings/organization',
        textKey: 'screen.organization',
        action: 'organizations.update',
        group: 'organization',
      },
      { id: 'team', path: '/team', textKey: 'screen.team', keys: 'g t', group: 'organization' },
      { id: 'approvals', path: '/approvals', textKey: 'screen.approvals', keys: 'g v', group: 'organization' },
      { id: 'stand-ins', path: '/stand-ins', textKey: 'screen.standIns', keys: 'g n', group: 'organization' },
      { id: 'policies', path: '/policies', textKey: 'screen.policies', keys: 'g o', group: 'organization' },
      { id: 'tags', path: '/tags', textKey: 'screen.tags', keys: 'g l', group: 'organization' },
      { id: 'suppliers', path: '/suppliers', textKey: 'screen.suppliers', keys: 'g u', group: 'organization' },
      { id: 'webhooks', path: '/webhooks', textKey: 'screen.webhooks', keys: 'g w', action: 'webhooks.manage', group: 'organization' },
      { id: 'import', path: '/import', textKey: 'screen.import', keys: 'g i', action: 'expenses.import', group: 'organization' },
      { id: 'sync', path: '/sync', textKey: 'screen.sync', keys: 'g y', needs: 'remote', group: 'computer' },
      { id: 'remote', path: '/settings/remote', textKey: 'screen.remote', group: 'computer' },
      { id: 'computer', path: '/settings/computer', textKey: 'screen.computer', needs: 'desktop', group: 'computer' },
    ],
  },
]

/** The places of a person with this role in the current organization, with the screens that they can use. */
export function placesFor(role: Role | undefined, { hasRemote, isDesktop }: PlaceConditions): Place[] {
  const isThere = { remote: hasRemote, desktop: isDesktop }
  const canUse = ({ action, unless, needs }: Screen) =>
    (action === undefined || may(action, { role })) &&
    (unless === undefined || !may(unless, { role })) &&
    (needs === undefined || isThere[needs])
  return places.map((place) => ({ ...place, screens: place.screens.filter(canUse) })).filter(({ screens }) => screens.length > 0)
}

/** The place and the screen of an address; undefined for an address that is no screen's. */
export function findPlace(all: readonly Place[], path: string): { readonly place: Place; readonly screen: Screen } | undefined {
  return all
    .flatMap((place) => place.screens.map((screen) => ({ place, screen })))
    .filter(({ screen }) => path === screen.path || path.startsWith(`${screen.path}/`))
    .toSorted((one, other) => other.screen.path.length - one.screen.path.length)[0]
}

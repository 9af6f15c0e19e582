import type { MenuItemConstructorOptions } from 'electron'
import type { CommandScope } from '#shared/desktop/bridge'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'

/** Electron's names of keys that the interface names differently. */
const names: Readonly<Record<string, string>> = {
  mod: 'CommandOrControl',
  shift: 'Shift',
  alt: 'Alt',
  escape: 'Esc',
  enter: 'Return',
  space: 'Space',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  backspace: 'Backspace',
  delete: 'Delete',
  home: 'Home',
  end: 'End',
}

const arrows: Readonly<Record<string, string>> = { arrowup: '↑', arrowdown: '↓', arrowleft: '←', arrowright: '→', backspace: '⌫' }

/** How a menu shows a command's keys: as an accelerator if there is a modifier, otherwise as text after the label. */
function shownKeys(keys: string): { accelerator: string } | { words: string } {
  const presses = keys.split(' ').map((press) => (press === '+' ? ['+'] : press.split('+')))
  const [parts = []] = presses
  const hasModifier = parts.includes('mod') || parts.includes('alt')
  if (presses.length === 1 && hasModifier) return { accelerator: parts.map((part) => names[part] ?? part.toUpperCase()).join('+') }
  return { words: presses.map((press) => press.map(shownName).join('+')).join(' ') }
}

function shownName(part: string): string {
  return arrows[part] ?? (part.length === 1 ? part.toUpperCase() : `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
}

/** What the menus need: the interface's commands, and the shell's own actions. */
interface MenuParts {
  readonly language: Language
  readonly scopes: readonly CommandScope[]
  readonly capture_shortcut: string | null
  readonly isMac: boolean
  readonly isPackaged: boolean
  readonly run: (command: { scope: string; id: string }) => void
  readonly act: (act: ShellAct) => void
}

/** The shell's own actions in menus. */
export type ShellAct = 'new_expense' | 'quick_capture' | 'open_files' | 'settings' | 'show_data' | 'reload' | 'quit'

/** The scope of commands that work on every screen; navigation commands have `goTo` with the interface's names. */
const everywhere = 'everywhere'
const notScreens: ReadonlySet<string> = new Set(['commands', 'shortcuts'])

/**
 * The application's menu: every command of the screen with its keys, in the person's language. The interface handles keys itself, so the menu only
 * shows them; on macOS, where a menu gets a key first, both lead to the same command.
 */
export function applicationMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const { isMac } = parts
  const say = sayIn(parts.language)
  return [
    ...(isMac ? [macMenu(parts)] : []),
    { id: 'file', label: say('file'), submenu: fileMenu(parts) },
    { id: 'edit', label: say('edit'), submenu: roles(parts, ['undo', 'redo', '', 'cut', 'copy', 'paste', 'selectAll']) },
    { id: 'go', label: say('go'), submenu: goMenu(parts) },
    { id: 'actions', label: say('actions'), submenu: actionsMenu(parts) },
    { id: 'view', label: say('view'), submenu: viewMenu(parts) },
    {
      id: 'window',
      label: say('window'),
      role: 'window',
      submenu: roles(parts, isMac ? ['minimize', 'zoom', '', 'front'] : ['minimize', 'close']),
    },
    { id: 'help', label: say('help'), role: 'help', submenu: helpMenu(parts) },
  ]
}

function sayIn(language: Language) {
  return (key: string) => translate(language, `desktop:menu.${key}`)
}

function act(parts: MenuParts, name: ShellAct, label: string): MenuItemConstructorOptions {
  return { id: name, label: sayIn(parts.language)(label), click: () => parts.act(name) }
}

type Role = NonNullable<MenuItemConstructorOptions['role']>

/** The system's own menu items in the person's language; by default they would be English. An empty name is a separator. */
function roles({ language }: MenuParts, names: readonly (Role | '')[]): MenuItemConstructorOptions[] {
  return names.map((role) => (role === '' ? { type: 'separator' } : { role, label: translate(language, `desktop:role.${role}`) }))
}

function macMenu(parts: MenuParts): MenuItemConstructorOptions {
  const say = sayIn(parts.language)
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about', label: say('about') },
      { type: 'separator' },
      { ...act(parts, 'settings', 'settings'), accelerator: 'Command+,' },
      { type: 'separator' },
      ...roles(parts, ['services', '', 'hide', 'hideOthers', 'unhide', '']),
      { ...act(parts, 'quit', 'quit'), accelerator: 'Command+Q' },
    ],
  }
}

function fileMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const say = sayIn(parts.language)
  const { capture_shortcut, isMac } = parts
  return [
    act(parts, 'new_expense', 'newExpense'),
    {
      ...act(parts, 'quick_capture', 'quickCapture'),
      ...(capture_shortcut === null ? {} : { accelerator: capture_shortcut, registerAccelerator: false }),
    },
    act(parts, 'open_files', 'openFiles'),
    { role: 'recentDocuments', label: say('recent'), submenu: [{ role: 'clearRecentDocuments', label: say('clearRecent') }] },
    { type: 'separator' },
    ...roles(parts, ['close']),
    ...(isMac ? [] : [act(parts, 'settings', 'settings'), { ...act(parts, 'quit', 'quit'), accelerator: 'Control+Q' }]),
  ]
}

function goMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const scope = parts.scopes.find((known) => known.scope === everywhere)
  const screens = scope?.commands.filter(({ id }) => !notScreens.has(id)) ?? []
  return orNothing(
    parts,
    screens.map((command) => commandItem(parts, everywhere, command)),
  )
}

function actionsMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const scopes = parts.scopes.filter(({ scope, commands }) => scope !== everywhere && commands.length > 0)
  return orNothing(
    parts,
    scopes.map(({ scope, title, commands }) => ({
      id: `scope:${scope}`,
      label: title,
      submenu: commands.map((command) => commandItem(parts, scope, command)),
    })),
  )
}

function orNothing(parts: MenuParts, items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.length > 0 ? items : [{ label: sayIn(parts.language)('nothingHere'), enabled: false }]
}

function commandItem({ run }: MenuParts, scope: string, { id, label, keys }: CommandScope['commands'][number]): MenuItemConstructorOptions {
  const shown = shownKeys(keys)
  const item = { id: `${scope}:${id}`, click: () => run({ scope, id }) }
  return 'words' in shown
    ? { ...item, label: `${label} (${shown.words})` }
    : { ...item, label, accelerator: shown.accelerator, registerAccelerator: false }
}

function viewMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  return [
    ...roles(parts, ['resetZoom', 'zoomIn', 'zoomOut', '', 'togglefullscreen']),
    ...(parts.isPackaged
      ? []
      : [act(parts, 'reload', 'reload'), { role: 'toggleDevTools', label: sayIn(parts.language)('developerTools') } as const]),
  ]
}

function helpMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const everyScreen = parts.scopes.find((known) => known.scope === everywhere)
  const help = everyScreen?.commands.filter(({ id }) => notScreens.has(id)) ?? []
  return [
    ...help.map((command) => commandItem(parts, everywhere, command)),
    act(parts, 'show_data', 'showData'),
    ...(parts.isMac ? [] : [{ role: 'about', label: sayIn(parts.language)('about') } as const]),
  ]
}

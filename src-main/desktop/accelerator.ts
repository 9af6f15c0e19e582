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
export function shownKeys(keys: string): { accelerator: string } | { words: string } {
  const presses = keys.split(' ').map((press) => (press === '+' ? ['+'] : press.split('+')))
  const [parts = []] = presses
  const hasModifier = parts.includes('mod') || parts.includes('alt')
  if (presses.length === 1 && hasModifier) return { accelerator: parts.map((part) => names[part] ?? part.toUpperCase()).join('+') }
  return { words: presses.map((press) => press.map(shownName).join('+')).join(' ') }
}

function shownName(part: string): string {
  return arrows[part] ?? (part.length === 1 ? part.toUpperCase() : `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
}

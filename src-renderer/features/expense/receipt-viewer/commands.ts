import type { ViewportStep } from './viewport'

/** What the keyboard can do with a receipt. */
export type ViewerCommand =
  | { readonly kind: 'receipt'; readonly by: 1 | -1 }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'full' }
  | { readonly kind: 'view'; readonly step: ViewportStep }

/** What of a key event names a command. */
export type ViewerKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

const panStepPx = 48

const byKey: Readonly<Record<string, ViewerCommand>> = {
  '[': { kind: 'receipt', by: -1 },
  ']': { kind: 'receipt', by: 1 },
  PageUp: { kind: 'page', by: -1 },
  PageDown: { kind: 'page', by: 1 },
  ' ': { kind: 'full' },
  '+': { kind: 'view', step: { kind: 'zoom', steps: 1 } },
  '=': { kind: 'view', step: { kind: 'zoom', steps: 1 } },
  '-': { kind: 'view', step: { kind: 'zoom', steps: -1 } },
  '0': { kind: 'view', step: { kind: 'whole' } },
  ArrowLeft: { kind: 'view', step: { kind: 'pan', x: panStepPx, y: 0 } },
  ArrowRight: { kind: 'view', step: { kind: 'pan', x: -panStepPx, y: 0 } },
  ArrowUp: { kind: 'view', step: { kind: 'pan', x: 0, y: panStepPx } },
  ArrowDown: { kind: 'view', step: { kind: 'pan', x: 0, y: -panStepPx } },
}

const bySidewaysKey: Readonly<Record<string, ViewerCommand>> = {
  ArrowLeft: { kind: 'receipt', by: -1 },
  ArrowRight: { kind: 'receipt', by: 1 },
}

/** The command of a key, with the focus on the receipt itself. `isWhole`: there is nothing to pan, so ← and → go to other receipts. */
export function commandOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: ViewerKey,
  { isWhole }: { isWhole: boolean },
): ViewerCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  if (shiftKey && key.toLowerCase() === 'r') return { kind: 'view', step: { kind: 'turn' } }
  if (isWhole && !shiftKey && Object.hasOwn(bySidewaysKey, key)) return bySidewaysKey[key]
  return Object.hasOwn(byKey, key) ? byKey[key] : undefined
}

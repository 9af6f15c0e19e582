import type { Fault } from '#test/faults/fault'

/** Faults in the page. Those that only a browser shows name a spec; the page is then built again. */
export const page: readonly Fault[] = [
  {
    name: 'the count of a selection forgets its exceptions',
    file: 'src-renderer/state/review-selection.ts',
    find: "selection.default === 'all' ? total - selection.except.size : selection.except.size",
    replace: "selection.default === 'all' ? total : selection.except.size",
    effect: '"All but 2" says that it approves all.',
    test: 'test/renderer/review-selection.test.ts',
  },
  {
    name: 'keys of the screen fire in a menu',
    file: 'src-renderer/ui/keys/key-combo.ts',
    find: '[role=alertdialog], [role=menu], [role=listbox]',
    replace: '[role=alertdialog]',
    effect: 'Escape closes the menu and the detail behind it.',
    test: 'test/e2e/clumsy/hands.spec.ts',
    only: 'Escape in a menu',
  },
]

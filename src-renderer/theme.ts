import { ActionIcon, Button, createTheme, Menu, Popover, Tooltip, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import type { MouseEvent } from 'react'

/** The one neutral scale, lightest first. Mantine calls its light half `gray`. */
export const neutral: MantineColorsTuple = [
  '#f7f8f9',
  '#eff1f3',
  '#e3e6ea',
  '#d3d8dd',
  '#b6bdc5',
  '#8b949e',
  '#667079',
  '#4c555e',
  '#333b43',
  '#1d242b',
]

/** The same scale as Mantine's `dark` wants it: text first, deepest ground last. */
export const neutralDark: MantineColorsTuple = [
  '#dfe3e7',
  '#c3c9d0',
  '#a2abb4',
  '#828c96',
  '#47505a',
  '#333b44',
  '#242b32',
  '#181d22',
  '#12161a',
  '#0c0f12',
]

/** The one accent, a calm indigo that no status of contract 3.1 comes near. */
export const accent: MantineColorsTuple = [
  '#eef0fb',
  '#dde1f5',
  '#bcc3ea',
  '#99a4df',
  '#7a87d5',
  '#5f6dc8',
  '#4554b3',
  '#3a489b',
  '#303c81',
  '#232c61',
]

const radius = '4px'
const shadow = '0 1px 2px rgb(12 15 18 / 8%), 0 6px 20px rgb(12 15 18 / 14%)'
const systemFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'

/** Selects the text of a field in which one types: what is typed next replaces it. */
function selectText({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  if (!currentTarget.readOnly) currentTarget.select()
}

/** Outlay's tokens for Mantine: 14 px base, 4 px grid, one radius, one shadow, motion under 150 ms and none when the system asks. */
export const theme = createTheme({
  colors: { gray: neutral, dark: neutralDark, accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  white: '#ffffff',
  black: '#1d242b',
  autoContrast: true,
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '13px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.43', md: '1.43', lg: '1.5', xl: '1.4' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: radius, sm: radius, md: radius, lg: radius, xl: radius },
  defaultRadius: 'sm',
  shadows: { xs: shadow, sm: shadow, md: shadow, lg: shadow, xl: shadow },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'default',
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 28, variant: 'subtle', color: 'gray' } }),
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', withScrollArea: false, onClick: selectText } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    TagsInput: { defaultProps: { withScrollArea: false } },
    Autocomplete: { defaultProps: { withScrollArea: false } },
    // Lists, menus and dialogs are in a landmark, as everything else on the page.
    Portal: { defaultProps: { target: '#overlays' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Menu: Menu.extend({ defaultProps: { shadow: 'sm', withInitialFocusPlaceholder: false, transitionProps: { duration: 100 } } }),
    MenuLabel: { defaultProps: { role: 'presentation' } },
    MenuDivider: { defaultProps: { role: 'separator' } },
    Popover: Popover.extend({ defaultProps: { shadow: 'sm', transitionProps: { duration: 100 } } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, transitionProps: { duration: 100 } } }),
  },
})

/** The names our own style sheets use, so that no sheet knows which shade of the scale a ground or a line is. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--outlay-shadow': shadow, '--outlay-radius': radius },
  light: {
    '--outlay-ground': '#ffffff',
    '--outlay-ground-side': neutral[0],
    '--outlay-ground-raised': '#ffffff',
    '--outlay-hover': neutral[1],
    '--outlay-selected': accent[0],
    '--outlay-line': neutral[2],
    '--outlay-line-strong': neutral[3],
    '--outlay-text': neutral[9],
    '--outlay-text-quiet': '#59636d',
    '--outlay-accent-text': accent[6],
    '--outlay-dot-ring': 'transparent',
    '--mantine-color-dimmed': '#59636d',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--outlay-ground': neutralDark[7],
    '--outlay-ground-side': neutralDark[8],
    '--outlay-ground-raised': neutralDark[6],
    '--outlay-hover': '#20262c',
    '--outlay-selected': '#262c4a',
    '--outlay-line': '#2a3138',
    '--outlay-line-strong': neutralDark[4],
    '--outlay-text': neutralDark[0],
    '--outlay-text-quiet': '#9aa4ae',
    '--outlay-accent-text': accent[3],
    '--outlay-dot-ring': neutralDark[3],
    '--mantine-color-dimmed': '#9aa4ae',
    '--mantine-color-error': '#ff8787',
  },
})

import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import type { MouseEvent } from 'react'

/** The one neutral scale, lightest first. Mantine calls its light half `gray`. */
export const neutral: MantineColorsTuple = [
  '#fbfbfa',
  '#f4f4f2',
  '#e7e6e3',
  '#d6d4cf',
  '#bab6af',
  '#96928a',
  '#716d66',
  '#55524c',
  '#38352f',
  '#1b1a18',
]

/** The same scale as Mantine's `dark` wants it: text first, deepest ground last. */
export const neutralDark: MantineColorsTuple = [
  '#ecebe8',
  '#cfccc6',
  '#a5a199',
  '#8a867e',
  '#504e4a',
  '#3c3b38',
  '#262524',
  '#1a1a19',
  '#131312',
  '#0d0d0c',
]

/** The one accent: a green darker and greyer than that of an approved expense, so that no status of contract 3.1 comes near. */
export const accent: MantineColorsTuple = [
  '#e6efec',
  '#cfe0da',
  '#a7d3c4',
  '#7fb5a4',
  '#5b9583',
  '#417765',
  '#2f5d50',
  '#274f44',
  '#24493f',
  '#1a352e',
]

const radius = '6px'
const shadow = '0 1px 2px rgb(27 26 24 / 6%), 0 8px 24px rgb(27 26 24 / 12%)'
const font = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'

/** Selects the text of a field in which one types: what is typed next replaces it. */
function selectText({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  if (!currentTarget.readOnly) currentTarget.select()
}

/** Outlay's tokens for Mantine: 13 px base, 4 px grid, one radius, one shadow, motion under 150 ms and none when the system asks. */
export const theme = createTheme({
  colors: { gray: neutral, dark: neutralDark, accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 3 },
  white: '#ffffff',
  black: '#1b1a18',
  autoContrast: true,
  fontFamily: font,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '13px', sm: '13px', md: '13px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.54', sm: '1.54', md: '1.54', lg: '1.5', xl: '1.4' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: radius, sm: radius, md: radius, lg: radius, xl: radius },
  defaultRadius: 'sm',
  shadows: { xs: shadow, sm: shadow, md: shadow, lg: shadow, xl: shadow },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'default',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
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
    Menu: { defaultProps: { shadow: 'sm', withInitialFocusPlaceholder: false, transitionProps: { duration: 100 } } },
    MenuLabel: { defaultProps: { role: 'presentation' } },
    MenuDivider: { defaultProps: { role: 'separator' } },
    Popover: { defaultProps: { shadow: 'sm', transitionProps: { duration: 100 } } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 100 } } },
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
    '--outlay-text-quiet': '#67645e',
    '--outlay-accent-text': accent[8],
    '--outlay-dot-ring': 'transparent',
    '--mantine-color-dimmed': '#67645e',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--outlay-ground': neutralDark[7],
    '--outlay-ground-side': neutralDark[8],
    '--outlay-ground-raised': neutralDark[6],
    '--outlay-hover': neutralDark[6],
    '--outlay-selected': '#20302b',
    '--outlay-line': '#2c2b29',
    '--outlay-line-strong': neutralDark[4],
    '--outlay-text': neutralDark[0],
    '--outlay-text-quiet': '#a5a199',
    '--outlay-accent-text': accent[2],
    '--outlay-dot-ring': neutralDark[3],
    '--mantine-color-dimmed': '#a5a199',
    '--mantine-color-error': '#ff8787',
  },
})

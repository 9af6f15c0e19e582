import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { expect, test } from 'vitest'
import { accent, cssVariables, neutral, neutralDark, theme } from '../../src-renderer/theme'

/** Relative luminance of a #rrggbb colour, WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((first, second) => second - first)
  return (lighter + 0.05) / (darker + 0.05)
}

const variables = cssVariables(mergeMantineTheme(DEFAULT_THEME, theme))
const grounds = ['--outlay-ground', '--outlay-ground-side', '--outlay-ground-raised', '--outlay-hover', '--outlay-selected'] as const
const inks = ['--outlay-text', '--outlay-text-quiet', '--outlay-accent-text'] as const
const pairs = (['light', 'dark'] as const).flatMap((scheme) => grounds.flatMap((ground) => inks.map((ink) => ({ scheme, ink, ground }))))

test.each(pairs)('$ink on $ground is readable in $scheme (AA)', ({ scheme, ink, ground }) => {
  expect(contrast(variables[scheme][ink] ?? '', variables[scheme][ground] ?? '')).toBeGreaterThanOrEqual(4.5)
})

test('white on the accent button is readable in both themes', () => {
  expect(contrast('#ffffff', accent[6] ?? '')).toBeGreaterThanOrEqual(4.5)
  expect(contrast('#ffffff', accent[5] ?? '')).toBeGreaterThanOrEqual(4.5)
})

test('the scales have the ten shades that Mantine needs', () => {
  expect([neutral, neutralDark, accent].map((scale) => scale.length)).toEqual([10, 10, 10])
})

import { useMediaQuery } from '@mantine/hooks'

/** Whether the page is as narrow as a phone, or zoomed in as far: the style sheets have the same width. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false })
}

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { inForm } from '#test/support/form'

/** The rules whose verdict hangs on colours, all that differs between the light and the dark. */
const colourRules = ['color-contrast', 'link-in-text-block']

const colourSchemes = inForm<ReadonlyArray<'light' | 'dark'>>(['light'], ['light', 'dark'])

/** Fails when axe finds anything wrong with the page, or with these parts of it, in the light; in the long form also in the dark. */
export async function expectAccessible(page: Page, parts: readonly string[] = []): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Each scan would run the source twice, half a megabyte: a page that has it needs nothing in its place.
    const isThere = await page.evaluate(() => 'axe' in window)
    // No page of ours has frames: what is found need not be put together in a page of its own.
    const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
    for (const part of parts) axe.include(part)
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(colourRules)).analyze()
    expect(
      violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`),
      })),
    ).toEqual([])
  }
}

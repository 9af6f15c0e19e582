import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { inForm } from '#test/support/form'

/** The rules whose verdict hangs on colours, all that differs between the light and the dark. */
const colourRules = ['color-contrast', 'link-in-text-block']

const colourSchemes = inForm<ReadonlyArray<'light' | 'dark'>>(['light'], ['light', 'dark'])

/** Fails when axe finds anything wrong with the page, or with these parts of it, in the light; in the long form also in the dark. */
export async function expectAccessible(page: Page, parts: readonly string[] = []): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Half a megabyte, which a page keeps until it is loaded again.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
    expect(await findViolations(page, parts, colorScheme === 'light' ? undefined : colourRules)).toEqual([])
  }
}

/** What axe finds in the page; what it finds right stays there. No page of ours has frames. */
function findViolations(
  page: Page,
  parts: readonly string[],
  rules: string[] | undefined,
): Promise<Array<{ id: string; nodes: string[] }>> {
  return page.evaluate(
    async ([parts, rules]) => {
      // What appears or fades has its colours at the end. An animation that never ends is not waited for.
      const isEnding = (one: Animation) => one.playState === 'running' && Number.isFinite(Number(one.effect?.getComputedTiming().endTime))
      const ended = document
        .getAnimations()
        .filter(isEnding)
        .map(({ finished }) => finished)
      await Promise.race([Promise.allSettled(ended), new Promise((done) => setTimeout(done, 2000))])
      const include = parts.map((part) => [part])
      const { violations } = await window.axe.run(include.length > 0 ? { include } : document, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: rules }),
      })
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`),
      }))
    },
    [parts, rules] as const,
  )
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

import type { Page } from '@playwright/test'

/** Keeps a page from following the feed, whose response never ends: only then is there a time when nothing is on its way. */
export async function withoutFeed(page: Page): Promise<void> {
  await page.route('**/api/v1/events', (route) => route.abort())
}

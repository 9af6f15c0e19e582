import { expect } from '@playwright/test'
import { makeComputer, test } from '#test/desktop/support/folder'
import { pathOf, wholeBrowser } from '#test/desktop/support/launch'

const script = 'parent.hit = true; window.hit = true; top.hit = true'

/** Files that would run something if they were shown as pages. */
const files = [
  { name: 'a.svg', text: `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>` },
  { name: 'a.html', text: `<!doctype html><script>${script}</script>` },
  {
    name: 'a.xml',
    text: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body onload="${script}"><script>${script}</script></body></html>`,
  },
  {
    name: 'b.xml',
    text: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,%3Cx/%3E"?><nfe><script xmlns="http://www.w3.org/1999/xhtml">${script}</script></nfe>`,
  },
  {
    name: 'a.pdf',
    text: `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>`,
  },
  { name: 'a.png', text: `GIF89a/*<script>${script}</script>*/` },
]

test('a receipt with a script in it runs nowhere', async () => {
  const desktop = await (await makeComputer()).start({ env: wholeBrowser })
  const page = await desktop.mainPage()
  await expect(page.getByRole('heading', { name: 'Review', level: 1 })).toBeAttached()
  let tried = 0
  for (const file of files) {
    const address = await page.evaluate(async ({ name, text }) => {
      const response = await fetch(`/api/v1/captures?source=drop&file_name=${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: text,
      })
      return response.status === 201 ? ((await response.json()) as { url: string | null }).url : null
    }, file)
    if (address === null) continue
    const path = address.replace(/^[a-z]+:\/\/[^/]+/, '')
    const guards = await page.evaluate(async (at) => {
      const { headers } = await fetch(at)
      return [headers.get('content-security-policy'), headers.get('x-content-type-options')]
    }, path)
    expect(guards).toEqual(["sandbox; default-src 'none'", 'nosniff'])
    for (const tag of ['iframe', 'object', 'embed', 'img', 'script'] as const) {
      tried += 1
      await page.evaluate(
        async ([name, at]) => {
          const element = document.createElement(name)
          try {
            element.setAttribute(name === 'object' ? 'data' : 'src', at)
          } catch {
            return
          }
          document.body.append(element)
          await new Promise((resolve) => setTimeout(resolve, 100))
          element.remove()
        },
        [tag, path] as const,
      )
    }
    await page.evaluate((at) => void (location.href = at), path).catch(() => undefined)
    await page.waitForTimeout(150)
    tried += 1
    expect(pathOf(page)).toBe('/review')
  }
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  console.log(`Scripts in receipts: ${tried} tried, 0 succeeded`)
  expect(tried).toBeGreaterThan(0)
})

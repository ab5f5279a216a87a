import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { desk, openBrowser } from '../pages/browser.ts'
import type { Person } from './person.ts'

/** Browsers of several people, in one process. */
export interface Browsers {
  /** At an address of its own; null: of nobody who is logged in. */
  browsing(who: Person | null, options?: BrowserContextOptions): Promise<Page>
  /** What they have complained about: errors of scripts, and breaches of the content policy. */
  readonly complaints: readonly string[]
  /** Closes all pages: one that stays open goes on asking the server what is new. */
  leave(): Promise<void>
  close(): Promise<void>
}

export async function openBrowsers(base: string): Promise<Browsers> {
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  let visitors = 0
  return { browsing, complaints, leave, close }

  async function browsing(who: Person | null, options: BrowserContextOptions = desk) {
    visitors += 1
    const context = await browser.newContext({
      ...options,
      locale: 'en-US',
      baseURL: base,
      extraHTTPHeaders: { 'X-Forwarded-For': `10.3.0.${visitors}` },
    })
    contexts.push(context)
    const [name = '', value = ''] = who?.cookie?.split('=') ?? []
    if (who !== null) await context.addCookies([{ name, value, url: `${base}/console` }])
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      // A browser tells of refusals that pages expect, and show.
      const isExpected = /status of (401|404|410|422)/.test(message.text())
      if (message.type() === 'error' && !isExpected) complaints.push(message.text())
    })
    return page
  }

  async function leave() {
    for (const one of contexts.splice(0)) await one.close()
  }

  async function close() {
    await leave()
    await browser.close()
  }
}

/** Goes on within the page, as a link does, until nothing is being loaded. */
export async function visit(page: Page, path: string): Promise<void> {
  const to = JSON.stringify(`/console/${path}`)
  await page.evaluate(
    `history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
}

/** Does something in a dialog: what opens it, what is entered there, and what sends it. */
export async function act(
  page: Page,
  [opens, sends = opens]: readonly [opens: string, sends?: string],
  fill?: () => Promise<unknown>,
): Promise<void> {
  await page.getByRole('button', { name: opens, exact: true }).click()
  await fill?.()
  await page.getByRole('dialog').getByRole('button', { name: sends, exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await settled(page)
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { isProgram, onPath } from '../servers/programs.ts'

const named = process.env['TEST_CHROMIUM']
const program = named ?? onPath('chromium') ?? onPath('chromium-browser')

/** What a suite in a browser lacks here; null: nothing. Continuous integration has Debian's. */
export const chromiumMissing: string | null =
  program !== null && isProgram(program)
    ? null
    : 'Chromium (on PATH as chromium, or TEST_CHROMIUM=/path/to/it)'

/** A headless browser, one for a whole file: a start costs a second. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program ?? '',
    // Root has no sandbox of its own in a container; it looks at pages of ours alone.
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  })

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious on a page, or in a part of it; the page needs scripts for that. */
export async function seriousOn(page: Page, within = 'html'): Promise<readonly string[]> {
  // Not by an element, which the policy of our pages forbids; once, where pages follow links.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const found = await page.evaluate(async (part) => {
    const loaded = globalThis as unknown as { readonly axe: Axe }
    return (await loaded.axe.run(part, { resultTypes: ['violations'] })).violations
  }, within)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
}

interface Axe {
  run(part: string, options: { readonly resultTypes: readonly string[] }): Promise<Findings>
}

interface Findings {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** By how many pixels the page is wider than the screen: a phone would have to scroll sideways. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { settled, visit } from '../../support/console/browsing.ts'
import {
  actsAtOnce,
  pagesOfShop,
  pagesWithActions,
  plainPages,
} from '../../support/console/pages.ts'
import { chromiumMissing } from '../../support/pages/browser.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { browsing, here } from './here.ts'

/** Nothing here is ever clicked: what has the focus is pressed. */
describeWith(chromiumMissing, 'the console by keyboard alone', () => {
  it('reaches everything that can be pressed, and shows where it is', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console')
    for (const path of [...plainPages, ...pagesOfShop(here.shop)]) {
      await visit(page, `test/${path}`)
      const offered = await page.evaluate<readonly string[]>(offeredIn('#content'))
      await page.evaluate('document.getElementById("content").focus()')
      const walked = await walk(page, '#content', offered.length + 40)
      expect([path, walked.unseen]).toEqual([path, []])
      expect([path, offered.filter((each) => !walked.names.includes(each))]).toEqual([path, []])
    }
  }, 300_000)

  it('opens each action, fills it in, and comes back to where it was', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console')
    const opened = new Set<string>()
    for (const path of pagesWithActions(here.shop)) {
      await visit(page, `test/${path}`)
      const names = await page.locator('main .actions button').allTextContents()
      for (const name of new Set(names)) {
        const what = `${path.split('/')[0]}: ${name}`
        if (name === actsAtOnce || opened.has(what)) continue
        opened.add(what)
        await reach(page, name)
        await page.keyboard.press('Enter')
        await expect.poll(() => page.getByRole('dialog').count(), { message: what }).toBe(1)
        await expect.poll(() => page.evaluate(isWithinDialog), { message: what }).toBe(true)
        await expect.poll(() => page.locator('dialog .skeleton').count()).toBe(0)
        const offered = await page.evaluate<readonly string[]>(offeredIn('dialog'))
        const walked = await walk(page, 'dialog', offered.length + 24)
        expect([what, offered.filter((each) => !walked.names.includes(each))]).toEqual([what, []])
        expect([what, walked.unseen]).toEqual([what, []])
        await page.keyboard.press('Escape')
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
        expect([what, await page.evaluate(focused)]).toEqual([what, name])
      }
    }
    expect(opened.size).toBeGreaterThan(30)
  }, 300_000)

  it('carries out what it opens: makes, gives, pauses, archives', async () => {
    const page = await browsing(here.owner)
    const { keyboard } = page
    await page.goto('/console/test/customers')
    await settled(page)
    await reach(page, 'Create a customer')
    await keyboard.press('Enter')
    await type(page, 'name', 'Katherine Johnson')
    await type(page, 'email', 'katherine@example.com')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Katherine Johnson', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Katherine Johnson · Sluice')
    await visit(page, `test/customers/${here.shop.customer}`)
    await reach(page, 'Give credits')
    await keyboard.press('Enter')
    await type(page, 'amount', '3')
    await type(page, 'reason', 'by keyboard')
    await keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Give credits' }).waitFor()
    await reachIn(page, 'Give credits')
    await keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'by keyboard' }).first().waitFor()
    await visit(page, `test/subscriptions/${here.shop.onDemand}`)
    for (const [name, after] of [
      ['Pause', 'Resume'],
      ['Resume', 'Pause'],
    ] as const) {
      await reach(page, name)
      await keyboard.press('Enter')
      await expect.poll(() => page.locator('dialog .skeleton').count()).toBe(0)
      await reachIn(page, name)
      await keyboard.press('Enter')
      await page.locator('main .actions').getByRole('button', { name: after }).waitFor()
    }
    await visit(page, 'test/brands')
    await reach(page, 'Create a brand')
    await keyboard.press('Enter')
    await type(page, 'name', 'Keys')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await settled(page)
    await reach(page, 'Archive')
    await keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Live subscriptions').waitFor()
    await reachIn(page, 'Archive it for good')
    await keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }, 300_000)
})

/** What of a page can be pressed or filled in. */
const pressed = 'a[href], summary, :is(button, input, select, textarea):not([disabled])'

async function reach(page: Page, name: string): Promise<void> {
  await page.evaluate('document.getElementById("content").focus()')
  for (let turn = 0; turn < 200; turn += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(focused)) === name) return
  }
  throw new Error(`${name} is not reached on ${page.url()}.`)
}

/** Goes on within a dialog until something has the focus. */
async function reachIn(page: Page, name: string): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    if ((await page.evaluate(focused)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} is not reached in the dialog of ${page.url()}.`)
}

async function type(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('dialog').waitFor()
  await reachIn(page, field)
  await page.keyboard.type(text)
}

interface Walked {
  readonly names: readonly string[]
  /** What had the focus without showing it. */
  readonly unseen: readonly string[]
}

/** Goes on with Tab within a part, at most so many steps; a dialog is gone round. */
async function walk(page: Page, within: string, most: number): Promise<Walked> {
  const names: string[] = []
  const unseen: string[] = []
  for (let turn = 0; turn < most; turn += 1) {
    await page.keyboard.press('Tab')
    const [name, isInside, isShown] = await page.evaluate<Standing>(standingIn(within))
    if (!isInside && within !== 'dialog') break
    if (!isInside) continue
    names.push(name)
    if (!isShown) unseen.push(name)
  }
  return { names, unseen }
}

// Programs for the browser: a text each, since the compiler of the tests knows no page.

const nameOf = `(one) => ((one.matches('select') ? '' : one.textContent) || one.name || one.id || one.tagName).trim()`

const focused = `(${nameOf})(document.activeElement)`

const isWithinDialog = `document.querySelector('dialog')?.contains(document.activeElement) ?? false`

const offeredIn = (within: string): string => `[...document.querySelector('${within}')
  .querySelectorAll(${JSON.stringify(pressed)})]
  .filter((one) => one.checkVisibility())
  .map(${nameOf})`

type Standing = readonly [name: string, isInside: boolean, isShown: boolean]

// The parts of a moment are the browser's own, and so is what shows them.
const standingIn = (within: string): string => `((one) => [
  (${nameOf})(one),
  document.querySelector('${within}').contains(one),
  getComputedStyle(one).outlineStyle !== 'none' || one.type === 'datetime-local',
])(document.activeElement)`

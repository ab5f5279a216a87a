import { expect, it } from 'vitest'
import { settled, visit } from '../../support/console/browsing.ts'
import {
  actsAtOnce,
  pagesOfShop,
  pagesWithActions,
  plainPages,
} from '../../support/console/pages.ts'
import { password } from '../../support/console/people.ts'
import { chromiumMissing, desk, phone, seriousOn, tooWide } from '../../support/pages/browser.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at, browsing, here } from './here.ts'

/** What changes nothing, or only the own session. */
const harmless: readonly (string | null)[] = ['Follow live', 'Look again', 'Log out']

describeWith(chromiumMissing, 'the pages of the console in a browser', () => {
  it('lets somebody in by the link, once, and shows the overview live', async () => {
    const invited = await at.invited()
    const page = await browsing(null)
    const link = `/console/setup${new URL(invited.setupUrl).hash}`
    await page.goto(link)
    await page.getByText(invited.email).waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('The same again').fill(password)
    await page.getByRole('button', { name: 'Choose this password' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const unaccounted = () => page.locator('[data-figure="unaccounted"]').textContent()
    await expect.poll(unaccounted, { timeout: 60_000 }).toBe('0')
    const again = await browsing(null)
    await again.goto(link)
    await again.getByText('This link was used').waitFor()
    await again.goto('/console')
    await again.getByLabel('E-mail address').fill(invited.email)
    await again.getByLabel('Password').fill('not the password')
    await again.keyboard.press('Enter')
    await again.getByRole('alert').waitFor()
    await again.getByLabel('Password').fill(password)
    await again.keyboard.press('Enter')
    await again.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  }, 90_000)

  it('fits its budget: 120 kB and six requests until it can be used', async () => {
    const page = await browsing(null)
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      const size = request.sizes()
      sizes.push(size.then((of) => of.responseBodySize + of.responseHeadersSize))
    })
    await page.goto('/console')
    await page.getByLabel('E-mail address').waitFor()
    const bytes = await Promise.all(sizes)
    expect(bytes.length).toBeLessThanOrEqual(6)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000)
  })

  it.each([
    { screen: 'desk', colorScheme: 'light' },
    { screen: 'phone', colorScheme: 'dark' },
  ] as const)(
    'has nothing serious for axe on any page: $screen, $colorScheme',
    async ({ screen, colorScheme }) => {
      const options = { ...(screen === 'desk' ? desk : phone), colorScheme }
      const page = await browsing(here.owner, options)
      await page.goto('/console')
      for (const path of [...plainPages, ...pagesOfShop(here.shop)]) {
        await visit(page, `test/${path}`)
        expect([path, await seriousOn(page), await tooWide(page)]).toEqual([path, [], 0])
      }
    },
    240_000,
  )

  it('offers a viewer nothing that changes anything: phone in light, desk in dark', async () => {
    const page = await browsing(here.viewer, { ...phone, colorScheme: 'light' })
    const wide = { width: 1280, height: 800 }
    await page.goto('/console')
    for (const path of [...plainPages, ...pagesOfShop(here.shop)]) {
      await page.setViewportSize(phone.viewport ?? wide)
      await page.emulateMedia({ colorScheme: 'light' })
      await visit(page, `test/${path}`)
      const offers = await page.locator('main .actions button').allTextContents()
      const changes = offers.filter((label) => !harmless.includes(label))
      expect([path, changes, await tooWide(page)]).toEqual([path, [], 0])
      await page.setViewportSize(wide)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([path, await tooWide(page)]).toEqual([path, 0])
    }
  }, 300_000)

  it('has nothing serious for axe in any dialog, which closes without a change', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console')
    const opened = new Set<string>()
    for (const path of pagesWithActions(here.shop)) {
      await visit(page, `test/${path}`)
      const buttons = page.locator('main .actions button')
      for (const label of await buttons.allTextContents()) {
        const name = `${path.split('/')[0]}: ${label}`
        // The same dialog again says nothing new.
        if (label === actsAtOnce || opened.has(name)) continue
        await page
          .locator('main .actions')
          .getByRole('button', { name: label, exact: true })
          .first()
          .click()
        const dialog = page.getByRole('dialog')
        await expect.poll(() => dialog.count(), { message: `${path}: ${label}` }).toBe(1)
        expect([path, label, await seriousOn(page, 'dialog')]).toEqual([path, label, []])
        await page.keyboard.press('Escape')
        await expect.poll(() => dialog.count()).toBe(0)
        opened.add(name)
      }
    }
    expect(opened.size).toBeGreaterThan(30)
  }, 300_000)

  it('leads everywhere by keyboard alone, and back again', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console')
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('customers')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    expect(page.url()).toContain('/console/test/customers')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('live mode')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/live/customers')
    await page.getByText('None yet in live mode').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Grace Hopper' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Telephone').waitFor()
    expect(await seriousOn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }, 300_000)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browsers } from '../support/console/browsing.ts'
import { act, openBrowsers, settled, visit } from '../support/console/browsing.ts'
import { pagesOfShop, plainPages } from '../support/console/pages.ts'
import type { Invited } from '../support/console/people.ts'
import { password, people } from '../support/console/people.ts'
import type { Person } from '../support/console/person.ts'
import type { Shop } from '../support/console/shop.ts'
import { openShop } from '../support/console/shop.ts'
import { chromiumMissing, desk, phone, seriousOn, tooWide } from '../support/pages/browser.ts'
import { describeWith } from '../support/servers/describe-with.ts'

/** What changes nothing, or only the own session. */
const harmless: readonly (string | null)[] = ['Follow live', 'Look again', 'Log out']

const script = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'

describeWith(chromiumMissing, 'the console in a browser', () => {
  const at = people()
  let owner: Person & Invited
  let viewer: Person & Invited
  let shop: Shop
  let browsers: Browsers
  const browsing: Browsers['browsing'] = (who, options) => browsers.browsing(who, options)

  beforeAll(async () => {
    browsers = await openBrowsers(at.base())
    owner = await at.person()
    viewer = await at.person(at.here(), 'viewer')
    shop = await openShop(owner)
  }, 180_000)
  afterAll(async () => {
    await browsers.close()
    expect(browsers.complaints).toEqual([])
  })

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
      const page = await browsing(owner, options)
      await page.goto('/console')
      for (const path of [...plainPages, ...pagesOfShop(shop)]) {
        await visit(page, `test/${path}`)
        expect([path, await seriousOn(page), await tooWide(page)]).toEqual([path, [], 0])
      }
    },
    240_000,
  )

  it.each([
    { screen: 'desk', colorScheme: 'dark' },
    { screen: 'phone', colorScheme: 'light' },
  ] as const)(
    'offers a viewer nothing that changes anything: $screen, $colorScheme',
    async ({ screen, colorScheme }) => {
      const options = { ...(screen === 'desk' ? desk : phone), colorScheme }
      const page = await browsing(viewer, options)
      await page.goto('/console')
      for (const path of [...plainPages, ...pagesOfShop(shop)]) {
        await visit(page, `test/${path}`)
        const offers = await page.locator('main .actions button').allTextContents()
        const changes = offers.filter((label) => !harmless.includes(label))
        expect([path, changes, await tooWide(page)]).toEqual([path, [], 0])
      }
    },
    120_000,
  )

  it('has nothing serious for axe in any dialog, which closes without a change', async () => {
    const page = await browsing(owner)
    await page.goto('/console')
    const made = ['customers', 'products', 'discounts', 'brands', 'keys', 'webhooks', 'clock']
    let opened = 0
    for (const path of [...made, ...pagesOfShop(shop)]) {
      await visit(page, `test/${path}`)
      const buttons = page.locator('main .actions button')
      for (const label of await buttons.allTextContents()) {
        if (label === 'Turn on or off') continue
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
        opened += 1
      }
    }
    expect(opened).toBeGreaterThan(20)
  }, 120_000)

  it('leads everywhere by keyboard alone, and back again', async () => {
    const page = await browsing(owner)
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
  }, 60_000)

  it('gives credits after showing the result, and tells why', async () => {
    const page = await browsing(owner)
    await page.goto(`/console/test/customers/${shop.customer}`)
    await page.getByRole('button', { name: 'Give credits' }).click()
    await page.getByLabel('Amount').fill('12.5')
    await page.getByLabel('Reason').fill('for patience')
    await page.getByRole('button', { name: 'Show the result first' }).click()
    // What a try before this one gave stands on the account.
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(/^6\d\d(\.5)?$/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Give credits' }).click()
    const entry = page.getByRole('row').filter({ hasText: 'for patience' }).first()
    await entry.getByRole('link', { name: 'Why?' }).click()
    await page.waitForURL('**/why/cle_*')
    await page.getByText('manual_adjustment').first().waitFor()
  }, 60_000)

  it('makes a key and shows it once', async () => {
    const page = await browsing(owner)
    await page.goto('/console/test/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('by a browser')
    await page.getByRole('button', { name: 'Create it' }).click()
    const key = await page.locator('.secret code').textContent()
    expect(key).toMatch(/^slc_test_rw_/)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('by a browser').waitFor()
    expect(await page.content()).not.toContain(String(key))
  }, 60_000)

  it('carries a subscription through every command, each with its preview', async () => {
    const page = await browsing(owner)
    await page.goto(`/console/test/subscriptions/${shop.subscription}`)
    await settled(page)
    await act(page, ['Pause'])
    await act(page, ['Resume'])
    await act(page, ['End with the cycle'], async () => {
      await page.getByLabel('Comment').fill('too dear')
      await page.getByRole('button', { name: 'Show the result first' }).click()
    })
    await act(page, ['Take the end back'])
    await act(page, ['Change the plan'], async () => {
      await page.getByLabel('Product').selectOption(shop.dearer)
      await page.getByLabel('When').selectOption('next_billing_date')
      await page.getByRole('button', { name: 'Show the result first' }).click()
      await page.getByText('€99.00').last().waitFor()
      expect(await seriousOn(page)).toEqual([])
    })
    await act(page, ['Keep the plan'])
    await act(page, ['Cancel now'], async () => {
      await page.getByRole('button', { name: 'Show the result first' }).click()
    })
    await page.getByText('cancelled').first().waitFor()
    const after = await owner.call(`GET /test/subscriptions/${shop.subscription}`)
    expect(after.body['status']).toBe('cancelled')
  }, 90_000)

  it('answers a dispute, refunds a payment, and archives a brand after counting', async () => {
    const page = await browsing(owner)
    await page.goto(`/console/test/disputes/${shop.dispute}`)
    await settled(page)
    await act(page, ['Answer it'], () =>
      page.getByLabel('Evidence').fill(`It was delivered. ${script}`),
    )
    await page.getByText('It was delivered.').first().waitFor()
    await act(page, ['It is won'])
    await visit(page, `test/payments/${shop.payment}`)
    await act(page, ['Refund', 'Give €9.00 back'], async () => {
      await page.getByLabel('Desktop app').fill('9')
      await page.getByRole('button', { name: 'Show the result first' }).click()
    })
    await page.getByText('€9.00').first().waitFor()
    await visit(page, `test/brands/${shop.brand}`)
    await act(page, ['Archive', 'Archive it for good'], async () => {
      await page.getByText('Live subscriptions').waitFor()
    })
    expect((await owner.call(`GET /test/brands/${shop.brand}`)).body['enabled']).toBe(false)
    await visit(page, 'test/addons')
    await act(page, ['Create: Add-on', 'Create it'], async () => {
      await page.getByLabel('Name').fill('Storage')
      await page.getByLabel('Amount').fill('7.50')
    })
    await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor()
    await act(page, ['Change', 'Change it'], () => page.getByLabel('Amount').fill('8'))
    await page.getByText('800').waitFor()
    expect(await page.evaluate('window.ran ?? null')).toBeNull()
  }, 90_000)

  it('runs no script that a stranger has stored', async () => {
    const page = await browsing(owner)
    const key = String(at.server().ready['api_key'])
    const body = { name: script, email: 'x@example.com', metadata: { note: script } }
    const made = await owner.call('POST /test/customers', { body })
    const id = String(made.body['customer_id'])
    const metadata = { tokens: 1, note: script }
    const event = { event_id: 'stored-1', customer_id: id, event_name: script, metadata }
    const sent = await fetch(`${at.base()}/events/ingest`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ events: [event] }),
    })
    expect(sent.status).toBe(200)
    await page.goto('/console')
    await settled(page)
    const shown = ['customers', `customers/${id}`, 'events', 'events/stored-1', 'why/stored-1']
    for (const path of shown) {
      await visit(page, `test/${path}`)
      const said = () => page.locator('main').textContent()
      await expect.poll(said, { timeout: 30_000 }).toContain('onerror')
      expect(await page.evaluate('window.ran ?? null')).toBeNull()
    }
  }, 90_000)
})

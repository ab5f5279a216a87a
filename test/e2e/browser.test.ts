import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  chromiumMissing,
  desk,
  openBrowser,
  phone,
  seriousOn,
  tooWide,
} from '../support/pages/browser.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { describedWorld } from './described-world.ts'
import { subscriber } from './plan.ts'
import { checkout, latestOf, pack } from './shopper.ts'

const at = describedWorld()

/** Every card of the sandbox, and what its page says then. [payments#sandbox-cards] */
const cards: readonly (readonly [string, string])[] = [
  ['4242 4242 4242 4242', 'succeeded'],
  ['5555 5555 5555 4444', 'succeeded'],
  ['4000 0000 0000 0002', 'failed'],
  ['4000 0000 0000 9995', 'failed'],
  ['4000 0000 0000 0069', 'failed'],
  ['4000 0000 0000 0127', 'failed'],
  ['4000 0027 6000 3184', 'requires_customer_action'],
  ['4000 0000 0000 7015', 'processing'],
  ['4000 0000 0000 7023', 'succeeded'],
  ['4000 0000 0000 7031', 'processing'],
  ['4000 0000 0000 7049', 'processing'],
  ['4000 0000 0000 0341', 'succeeded'],
  ['4000 0000 0000 0259', 'succeeded'],
]

const languages = [
  ['en', 'Your order'],
  ['de', 'Ihre Bestellung'],
  ['fr', 'Votre commande'],
  ['es', 'Su pedido'],
  ['ja', 'ご注文'],
] as const

describeWith(chromiumMissing, 'pages in a browser', () => {
  let browser: Browser
  let productId: string
  beforeAll(async () => {
    browser = await openBrowser()
    productId = (await pack(at)).productId
  }, 300_000)
  afterAll(() => browser.close())

  let visitors = 0
  /** A person with a browser of their own, and an address of their own. */
  async function visiting<T>(
    options: BrowserContextOptions,
    visit: (page: Page) => Promise<T>,
  ): Promise<T> {
    visitors += 1
    const context = await browser.newContext({
      baseURL: at.url(),
      extraHTTPHeaders: { 'X-Forwarded-For': `10.2.0.${visitors}` },
      ...options,
    })
    try {
      return await visit(await context.newPage())
    } finally {
      await context.close()
    }
  }

  const session = async () => (await checkout(at, productId)).session_id

  async function entering(page: Page, card: string): Promise<void> {
    await page.fill('[name=name]', 'Ada')
    await page.selectOption('[name=country]', 'DE')
    await page.fill('[name=zipcode]', '10115')
    await page.fill('[name=card_number]', card)
    await page.fill('[name=card_expiry]', '12/39')
    await page.fill('[name=card_cvc]', '123')
  }

  it('pays with each card of the sandbox, without scripts, on a phone and at a desk', async () => {
    for (const [index, [card, status]] of cards.entries()) {
      const sessionId = await session()
      const screen = index % 2 === 0 ? phone : desk
      await visiting({ ...screen, javaScriptEnabled: false }, async (page) => {
        await page.goto(`/checkout/${sessionId}`)
        await entering(page, card)
        await page.click('button')
        const payment = await latestOf(at, sessionId)
        expect(payment.status, card).toBe(status)
        const said = await page.textContent('main')
        if (status === 'failed') expect(said).toContain(payment.error_message ?? '?')
        if (status !== 'requires_customer_action') return
        await page.click('button[value=pass]')
        expect((await latestOf(at, sessionId)).status).toBe('succeeded')
        expect(new URL(page.url()).pathname).toBe(`/checkout/${sessionId}/done`)
      })
    }
  }, 300_000)

  it('pays by the keyboard alone', async () => {
    const sessionId = await session()
    await visiting(desk, async (page) => {
      await page.goto(`/checkout/${sessionId}`)
      const entered: Readonly<Record<string, string>> = {
        name: 'Ada',
        country: 'Germany',
        zipcode: '10115',
        card_number: '4242 4242 4242 4242',
        card_expiry: '12/39',
        card_cvc: '123',
      }
      const seen: string[] = []
      for (let step = 0; step < 30; step += 1) {
        await page.keyboard.press('Tab')
        const focused = page.locator(':focus')
        if ((await page.locator('button:focus').count()) === 1) break
        const name = (await focused.getAttribute('name')) ?? ''
        seen.push(name)
        const text = entered[name]
        if (text !== undefined) await page.keyboard.type(text)
      }
      expect(seen).toEqual(expect.arrayContaining(Object.keys(entered)))
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/checkout/${sessionId}/done`)
    })
    expect((await latestOf(at, sessionId)).status).toBe('succeeded')
  }, 300_000)

  it('shows what choices come to while they are made, and pays once by two clicks', async () => {
    const sessionId = await session()
    await visiting(phone, async (page) => {
      await page.goto(`/checkout/${sessionId}`)
      await page.locator('[name=card_number]').pressSequentially('4242424242424242')
      await page.locator('[name=card_expiry]').pressSequentially('1239')
      await page.fill('[name=card_cvc]', '123')
      await page.fill(`[name="quantity[${productId}]"]`, '3')
      await page.waitForSelector('tfoot >> text=€29.97')
      expect(await page.textContent('button')).toContain('€29.97')
      expect(await page.inputValue('[name=card_number]')).toBe('4242 4242 4242 4242')
      expect(await page.inputValue('[name=card_expiry]')).toBe('12/39')
      await page.fill('[name=discount_code]', 'NOSUCH')
      await page.press('[name=discount_code]', 'Tab')
      await page.waitForSelector('[name=discount_code][aria-invalid=true]')
      await page.fill('[name=discount_code]', '')
      await page.press('[name=discount_code]', 'Tab')
      await page.waitForSelector('[name=discount_code]:not([aria-invalid])')
      expect(await seriousOn(page)).toEqual([])
      await page.selectOption('[name=country]', 'DE')
      await page.fill('[name=zipcode]', '10115')
      await page.dblclick('button')
      await page.waitForURL(`**/checkout/${sessionId}/done`)
    })
    const paid = await latestOf(at, sessionId)
    expect([paid.status, paid.total_amount]).toEqual(['succeeded', 2_997])
    const { items } = await at.client().payments.list({ product_id: productId, page_size: 100 })
    const ofSession = items.filter(({ total_amount }) => total_amount === paid.total_amount)
    expect(ofSession).toHaveLength(1)
  }, 300_000)

  it('speaks five languages, light and dark, with nothing serious for axe to find', async () => {
    for (const [index, [locale, title]] of languages.entries()) {
      const colorScheme = index % 2 === 0 ? 'light' : 'dark'
      const screen = index % 2 === 0 ? phone : desk
      const sessionId = await session()
      await visiting({ ...screen, locale, colorScheme }, async (page) => {
        await page.goto(`/checkout/${sessionId}`)
        expect(await page.textContent('h1')).toBe(title)
        expect([await seriousOn(page), await tooWide(page)], locale).toEqual([[], 0])
        // What comes then differs by its words alone: once in light, and once in dark.
        if (index > 1) return
        await entering(page, '4000 0000 0000 0002')
        await page.fill('[name=card_cvc]', 'x')
        await page.click('button')
        await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(1)
        expect(await seriousOn(page), `${locale}, a wrong field`).toEqual([])
        await entering(page, '4000 0000 0000 0002')
        await page.click('button')
        await expect.poll(() => page.locator('[role=alert]').count()).toBe(1)
        expect(await seriousOn(page), `${locale}, declined`).toEqual([])
        await entering(page, '4000 0027 6000 3184')
        await page.click('button')
        expect(await seriousOn(page), `${locale}, 3-D Secure`).toEqual([])
        await page.click('button[value=pass]')
        expect(await seriousOn(page), `${locale}, done`).toEqual([])
        await page.goto(`/checkout/${sessionId}`)
        expect(await seriousOn(page), `${locale}, paid already`).toEqual([])
        await page.goto('/buy/pdt_none')
        expect(await seriousOn(page), `${locale}, nothing here`).toEqual([])
      })
    }
  }, 300_000)

  it('shows the first view in one round trip, of 60 kB at the most', async () => {
    const sessionId = await session()
    await visiting(phone, async (page) => {
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      const answer = await page.goto(`/checkout/${sessionId}`, { waitUntil: 'load' })
      // A browser asks for the picture of a site by itself.
      expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toHaveLength(1)
      expect((await answer?.body())?.length).toBeLessThan(60_000)
    })
  }, 300_000)

  it('lets a customer in to the portal, who ends a subscription without scripts', async () => {
    const one = await subscriber(at)
    await one.balance(await one.use({}))
    const { link } = await at.client().customers.customerPortal.create(one.customerId)
    for (const screen of [phone, desk]) {
      await visiting({ ...screen, locale: 'es', colorScheme: 'dark' }, async (page) => {
        await page.goto(link)
        expect([await seriousOn(page), await tooWide(page)]).toEqual([[], 0])
        await page.click('h3 a')
        expect(await seriousOn(page), 'credits').toEqual([])
      })
    }
    await visiting({ ...phone, locale: 'en', javaScriptEnabled: false }, async (page) => {
      await page.goto(link)
      await page.click('text=Cancel')
      await page.click('button')
      expect(await page.textContent('main')).toContain('Ends on')
    })
    const ended = await at.client().subscriptions.retrieve(one.subscriptionId)
    expect(ended.cancel_at_next_billing_date).toBe(true)
  }, 300_000)

  it('shows the manual, which can be read without scripts, and searched with them', async () => {
    for (const [screen, colorScheme] of [
      [phone, 'dark'],
      [desk, 'light'],
    ] as const) {
      await visiting({ ...screen, colorScheme }, async (page) => {
        for (const path of ['/docs', '/docs/payments', '/docs/api/payments']) {
          await page.goto(path)
          expect([await seriousOn(page), await tooWide(page)], path).toEqual([[], 0])
        }
        await page.fill('#search', 'sandbox cards')
        await page.locator('#results a').first().click()
        expect(new URL(page.url()).pathname).toMatch(/^\/docs\//)
      })
    }
    await visiting({ ...phone, javaScriptEnabled: false }, async (page) => {
      await page.goto('/docs/credits')
      expect((await page.textContent('main'))?.length).toBeGreaterThan(1_000)
    })
  }, 300_000)
})

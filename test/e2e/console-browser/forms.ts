import { expect, it } from 'vitest'
import { act, settled, visit } from '../../support/console/browsing.ts'
import { pictures } from '../../support/files/pictures.ts'
import { chromiumMissing, desk, seriousOn } from '../../support/pages/browser.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { browsing, here } from './here.ts'

describeWith(chromiumMissing, 'the forms of the console in a browser', () => {
  it('arranges a collection: groups, products, their order, and what is shown', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/product-collections/${here.shop.collection}`)
    await settled(page)
    await act(page, ['Add a group'], async () => {
      await page.getByLabel('Name').fill('Bigger')
      await page.getByLabel('Product').selectOption(here.shop.dearer)
    })
    const bigger = page.locator('article').filter({ hasText: 'Bigger' })
    await bigger.getByRole('link', { name: 'Studio Max' }).waitFor()
    await bigger.getByRole('button', { name: 'Move up' }).click()
    await expect
      .poll(() => page.locator('article h2').allTextContents())
      .toEqual(['Biggershown', 'Studioshown'])
    await bigger.locator('header').getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click()
    await bigger.locator('header').getByText('hidden').waitFor()
    expect(await seriousOn(page)).toEqual([])
    await bigger.locator('header').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => bigger.count()).toBe(0)
    const { body } = await here.owner.call(`GET /test/product-collections/${here.shop.collection}`)
    expect(body['groups']).toMatchObject([{ group_name: 'Studio', status: true }])
  }, 90_000)

  it('gives a product an image and prices elsewhere, and takes them away', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/products/${here.shop.product}`)
    await settled(page)
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: pictures['image/png'] }
    await act(page, ['Image', 'Show it to buyers'], () =>
      page.getByLabel('File').setInputFiles(file),
    )
    const image = page.getByAltText('As buyers see it')
    await expect.poll(() => image.evaluate(widthOf)).toBe(1)
    await act(page, ['Image', 'Take it away'])
    await expect.poll(() => image.count()).toBe(0)
    await act(page, ['Change', 'Change it'], () =>
      page.getByLabel('Prices elsewhere').selectOption('by_country'),
    )
    await page.getByText('in every country').waitFor()
    await act(page, ['Add a price'], async () => {
      await page.getByLabel('Country').fill('CH')
      await page.getByLabel('Currency').fill('EUR')
      await page.getByLabel('Amount').fill('31.5')
    })
    const row = page.getByRole('row').filter({ hasText: 'CH' })
    await row.getByText('€31.50').waitFor()
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('dialog').getByLabel('Amount').fill('32')
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await row.getByText('€32.00').waitFor()
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('in every country').waitFor()
  }, 90_000)

  it('charges on demand, and makes a link for a card, each after showing the result', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/subscriptions/${here.shop.onDemand}`)
    await settled(page)
    await page.getByRole('button', { name: 'Charge', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('0')
    await dialog.getByRole('button', { name: 'Show the result first' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Amount').fill('12.50')
    await dialog.getByRole('button', { name: 'Show the result first' }).click()
    await dialog.getByText('···· 4242').waitFor()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByLabel('Amount').fill('13')
    await dialog.getByRole('button', { name: 'Show the result first' }).click()
    await dialog.getByText('€13.00').first().waitFor()
    expect(await seriousOn(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Charge it' }).click()
    await dialog.getByRole('link').click()
    await page.getByRole('heading', { name: 'Payment', level: 1 }).waitFor()
    await page.getByText('€13.00').first().waitFor()
    await visit(page, `test/subscriptions/${here.shop.onDemand}`)
    await page.getByRole('button', { name: 'Payment method' }).click()
    await dialog.getByLabel('Method').selectOption('')
    await dialog.getByRole('button', { name: 'Show the result first' }).click()
    await dialog.getByText('Nothing is owed').waitFor()
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const link = String(await dialog.locator('.secret code').textContent())
    await page.goto(link)
    await page.getByLabel('Card number').waitFor()
  }, 90_000)

  it('shows times in UTC, and in the own zone again', async () => {
    const page = await browsing(here.viewer, { ...desk, timezoneId: 'Asia/Tokyo' })
    await page.goto(`/console/test/customers/${here.shop.customer}`)
    const first = page.locator('main time').first()
    await settled(page)
    // What is loaded later may stand before what was there: each look is at one element.
    const isIn = async (timeZone: string) => {
      const [moment, text] = await first.evaluate(momentOf)
      const shown = new Intl.DateTimeFormat('en-US', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
      }).format(new Date(moment))
      return text.includes(shown)
    }
    await expect.poll(() => isIn('Asia/Tokyo')).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('utc')
    await page.keyboard.press('Enter')
    await page.locator('header .state').getByText('UTC').waitFor()
    await expect.poll(() => isIn('UTC')).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('own zone')
    await page.keyboard.press('Enter')
    await expect.poll(() => isIn('Asia/Tokyo')).toBe(true)
    // What is entered is of the reader's zone, too, and stands in the address in UTC.
    await visit(page, 'test/events?start=2026-01-31T12:00:00Z')
    const from = page.getByLabel('From (Asia/Tokyo)')
    expect(await from.inputValue()).toBe('2026-01-31T21:00')
    await from.fill('2026-01-31T22:00:00')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL('**/events?start=2026-01-31T13%3A00%3A00.000Z')
  }, 300_000)

  it('finds one event by its id, and says of any id what it is', async () => {
    const page = await browsing(here.viewer)
    await page.goto('/console/test/why')
    for (const [id, said] of [
      ['req_xxxxxxxxxxxxxxxxxxxxx', 'A request to the server'],
      [here.shop.customer, 'Its own page'],
      [here.shop.entitlement, 'Its own page'],
      [here.shop.payment, 'Its own page'],
    ] as const) {
      await page.getByLabel('Any id').fill(id)
      await page.keyboard.press('Enter')
      await page.locator('main').getByText(said).first().waitFor()
    }
    await visit(page, 'test/events')
    await page.getByLabel('Event id').fill('nobody-sent-this')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/test/events/nobody-sent-this')
    await page.getByRole('alert').waitFor()
  }, 300_000)

  it('moves the clock of test mode on, and shows what fell due', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console/test/clock')
    await settled(page)
    await page.getByText('Nothing since you came here').waitFor()
    await page.getByLabel('By').selectOption('P1M')
    await page.getByRole('button', { name: 'Move it on' }).click()
    await page.locator('.inbox summary').first().waitFor()
    await expect.poll(() => page.locator('.facts').first().textContent()).toMatch(/\d\d\.\d days/)
  }, 300_000)
})

/** As the browser has decoded it; 0: it could not. */
const widthOf = (image: object): number => (image as { readonly naturalWidth: number }).naturalWidth

/** What a time means, and how it is shown. */
function momentOf(one: object): readonly [moment: string, text: string] {
  const { dateTime, textContent } = one as { dateTime: string; textContent: string }
  return [dateTime, textContent]
}

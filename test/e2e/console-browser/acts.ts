import { expect, it } from 'vitest'
import { act, settled, visit } from '../../support/console/browsing.ts'
import { chromiumMissing, seriousOn } from '../../support/pages/browser.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { at, browsing, here } from './here.ts'

const script = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'

describeWith(chromiumMissing, 'what is done in the console in a browser', () => {
  it('gives credits after showing the result, and tells why', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/customers/${here.shop.customer}`)
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
    await page.locator('.said li').first().waitFor()
  }, 300_000)

  it('makes a key and shows it once', async () => {
    const page = await browsing(here.owner)
    await page.goto('/console/test/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('by a browser')
    await page.getByRole('button', { name: 'Create it' }).click()
    const key = await page.locator('.secret code').textContent()
    expect(key).toMatch(/^slc_test_rw_/)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('by a browser').waitFor()
    expect(await page.content()).not.toContain(String(key))
  }, 300_000)

  it('carries a subscription through every command, each with its preview', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/subscriptions/${here.shop.subscription}`)
    await settled(page)
    await act(page, ['Pause'])
    await act(page, ['Resume'])
    await act(page, ['End with the cycle'], async () => {
      await page.getByLabel('Comment').fill('too dear')
      await page.getByRole('button', { name: 'Show the result first' }).click()
    })
    await act(page, ['Take the end back'])
    await act(page, ['Change the plan'], async () => {
      await page.getByLabel('Product').selectOption(here.shop.dearer)
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
    const after = await here.owner.call(`GET /test/subscriptions/${here.shop.subscription}`)
    expect(after.body['status']).toBe('cancelled')
  }, 90_000)

  it('answers a dispute, refunds a payment, and archives a brand after counting', async () => {
    const page = await browsing(here.owner)
    await page.goto(`/console/test/disputes/${here.shop.dispute}`)
    await settled(page)
    await act(page, ['Answer it'], () =>
      page.getByLabel('Evidence').fill(`It was delivered. ${script}`),
    )
    await page.getByText('It was delivered.').first().waitFor()
    await act(page, ['It is won'])
    await visit(page, `test/payments/${here.shop.payment}`)
    await act(page, ['Refund', 'Give €9.00 back'], async () => {
      await page.getByLabel('Desktop app').fill('9')
      await page.getByRole('button', { name: 'Show the result first' }).click()
    })
    await page.getByText('€9.00').first().waitFor()
    await visit(page, `test/brands/${here.shop.brand}`)
    await act(page, ['Archive', 'Archive it for good'], async () => {
      await page.getByText('Live subscriptions').waitFor()
    })
    expect((await here.owner.call(`GET /test/brands/${here.shop.brand}`)).body['enabled']).toBe(
      false,
    )
    await visit(page, 'test/addons')
    await act(page, ['Create an add-on', 'Create it'], async () => {
      await page.getByLabel('Name').fill('Storage')
      await page.getByLabel('Amount').fill('7.50')
    })
    await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor()
    await act(page, ['Change', 'Change it'], () => page.getByLabel('Amount').fill('8'))
    await page.getByText('$8.00').first().waitFor()
    expect(await page.evaluate('window.ran ?? null')).toBeNull()
  }, 90_000)

  it('runs no script that a stranger has stored', async () => {
    const page = await browsing(here.owner)
    const key = String(at.server().ready['api_key'])
    const body = { name: script, email: 'x@example.com', metadata: { note: script } }
    const made = await here.owner.call('POST /test/customers', { body })
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

  it('runs no script of a receiver, of a program with a license, or of an event’s id', async () => {
    const receiver = await openReceiver((_, response) => void response.writeHead(500).end(script))
    try {
      const page = await browsing(here.owner)
      const url = `${receiver.url}/${encodeURIComponent(script)}`
      const hook = await here.owner.call('POST /test/webhooks', {
        body: { url, description: script },
      })
      const webhook = String(hook.body['id'])
      await here.owner.call(`POST /test/webhooks/${webhook}/test`, {
        body: { type: 'payment.succeeded' },
      })
      await receiver.until(1)
      const keys = await here.owner.call('GET /test/license_keys?status=active')
      const [license] = keys.body['items'] as readonly Readonly<Record<string, unknown>>[]
      const activated = await fetch(`${at.base()}/licenses/activate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ license_key: license?.['key'], name: script }),
      })
      expect(activated.status).toBeLessThan(300)
      await page.goto(`/console/test/webhooks/${webhook}`)
      await settled(page)
      await page.getByRole('button', { name: 'payment.succeeded' }).first().click()
      const said = () => page.locator('main').textContent()
      await expect.poll(said, { timeout: 30_000 }).toContain('onerror')
      for (const path of [
        'webhooks',
        `licenses/${license?.['id']}`,
        `events/${encodeURIComponent(script)}`,
        `why/${encodeURIComponent(script)}`,
        `customers?name=${encodeURIComponent(script)}`,
      ]) {
        await visit(page, `test/${path}`)
        expect([path, await page.evaluate('window.ran ?? null')]).toEqual([path, null])
      }
      await visit(page, `test/licenses/${license?.['id']}`)
      await expect.poll(said, { timeout: 30_000 }).toContain('onerror')
    } finally {
      await receiver.close()
    }
  }, 90_000)

  it('goes to the older messages of an endpoint, and back, by the address', async () => {
    const receiver = await openReceiver()
    try {
      // Nothing but samples, which are sent whatever is wanted.
      const { body } = await here.owner.call('POST /test/webhooks', {
        body: { url: receiver.url, filter_types: ['payout.failed'] },
      })
      const path = `/test/webhooks/${body['id']}`
      for (const type of ['payment.succeeded', ...Array(50).fill('credit.added')]) {
        await here.owner.call(`POST ${path}/test`, { body: { type } })
      }
      const page = await browsing(here.owner)
      await page.goto(`/console${path}`)
      await settled(page)
      const shown = () => page.locator('main tbody tr').count()
      expect(await shown()).toBe(50)
      await page.getByRole('link', { name: 'Older' }).click()
      await expect.poll(shown).toBe(1)
      expect(page.url()).toContain('page=1')
      await page.getByRole('button', { name: 'payment.succeeded' }).waitFor()
      await page.goBack()
      await expect.poll(shown).toBe(50)
    } finally {
      await receiver.close()
    }
  }, 90_000)
})

import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'
import { checkout, latestOf, monthly, pack, pays, savedMethodOf, shopper } from '../shopper.ts'

const pageOf = async (sessionId: string) => shopper(at).visit(`/checkout/${sessionId}`)

describe('the page of a checkout, as its session asks for it', () => {
  it('wears the colours and fonts of the seller, and loads nothing else [payments#looks]', async () => {
    const { productId } = await pack(at)
    const { session_id: sessionId } = await checkout(at, productId, {
      customization: {
        theme: 'dark',
        theme_config: {
          dark: { bg_primary: '#102030', button_primary_hover: 'rgb(1 2 3 / 50%)' },
          light: { text_error: 'maroon' },
          font_primary_url: "https://fonts.example/a).woff2?q=\\%22'",
          font_secondary_url: 'https://other.example/b.woff2',
          font_size: 'lg',
          font_weight: 'medium',
          radius: '0.25rem',
          pay_button_text: 'Join',
        },
      },
    })
    const page = await pageOf(sessionId)
    const style = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? ''
    for (const said of [
      '@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#102030;',
      ':root[data-theme=dark]{--ground:#102030;--act-over:rgb(1 2 3 / 50%)}',
      ':root[data-theme=light]{--wrong:maroon}',
      '--size:112.5%',
      '--weight:500',
      '--radius:0.25rem',
      'src:url("https://fonts.example/a%29.woff2?q=%5C%22%27")',
    ]) {
      expect(style).toContain(said)
    }
    expect(page.text).toMatch(/<button>Join /)
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none';.*; font-src https:\/\/fonts\.example https:\/\/other\.example$/,
    )
    const plain = await pageOf((await checkout(at, productId)).session_id)
    expect(plain.headers.get('content-security-policy')).not.toContain('font-src')
    const wrong: readonly [object, string][] = [
      [{ dark: { bg_primary: 'red;}body{display:none' } }, 'bg_primary'],
      [{ light: { text_primary: 'url(https://x.example)' } }, 'text_primary'],
      [{ font_primary_url: 'http://fonts.example/a.woff2' }, 'font_primary_url'],
      [{ font_secondary_url: 'https://%zz' }, 'font_secondary_url'],
      [{ radius: '1em;color:red' }, 'radius'],
      [{ font_size: 'huge' }, 'font_size'],
    ]
    for (const [theme, field] of wrong) {
      const answer = await at.call('POST /checkouts', {
        body: {
          product_cart: [{ product_id: productId, quantity: 1 }],
          customization: { theme_config: theme },
        },
      })
      expect([answer.status, answer.body.message], field).toEqual([
        422,
        expect.stringContaining(field),
      ])
    }
  })

  it('has a shorter address, where the seller asks for one [payments#pages]', async () => {
    const { productId } = await pack(at)
    const person = shopper(at)
    const session = await checkout(at, productId, { short_link: true })
    const opened = await at.client().payments.create({
      billing: { country: 'DE' },
      customer: { email: 'short@example.com' },
      payment_link: true,
      product_cart: [{ product_id: productId, quantity: 1 }],
      short_link: true,
    })
    for (const url of [session.checkout_url, opened.payment_link]) {
      const path = url?.slice(at.url().length) ?? ''
      expect(path).toMatch(/^\/c\/[\w-]{21}$/)
      const led = await person.visit(path)
      expect(led.location).toBe(`/checkout/cks_${path.slice(3)}`)
      expect((await person.visit(led.location ?? '')).status).toBe(200)
    }
    expect(session.session_id).toBe(`cks_${session.checkout_url?.slice(-21)}`)
  })

  it('asks in steps, and shows the way back, where it must not lead there by itself', async () => {
    const { productId } = await pack(at)
    const { session_id: sessionId } = await checkout(at, productId, {
      return_url: 'https://shop.example/thanks',
      feature_flags: { redirect_immediately: false, single_page: false },
    })
    const person = shopper(at)
    const first = await person.visit(`/checkout/${sessionId}`)
    expect([first.text.includes('card_number'), first.text.includes('name="email"')]).toEqual([
      false,
      true,
    ])
    const second = await person.send(`/checkout/${sessionId}`, { country: 'DE', name: 'Ada' })
    expect([second.text.includes('card_number'), second.text.includes('value="Ada"')]).toEqual([
      true,
      true,
    ])
    const paid = await person.pay(sessionId, pays)
    expect([paid.status, paid.location]).toEqual([303, `/checkout/${sessionId}/done`])
    const done = await person.visit(paid.location ?? '')
    expect(done.text).toContain('href="https://shop.example/thanks?payment_id=')
    expect(done.text).toContain('<h1 class="good">')
  })

  it('offers saved cards to a customer whom the seller names, and to nobody else [payments#saved-methods]', async () => {
    const { productId } = await pack(at)
    const plan = await monthly(at)
    const email = `${fresh('saver').replace(' ', '.')}@example.com`
    const customer = await at.client().customers.create({ email, name: 'Ada' })
    const customerId = customer.customer_id
    const methodId = await savedMethodOf(at, { customerId, productId: plan.productId })
    const asked = { show_saved_payment_methods: true } as const
    const named = await checkout(at, productId, { ...asked, customer: { customer_id: customerId } })
    const page = await pageOf(named.session_id)
    expect(page.text).toContain(`value="${methodId}" checked`)
    expect(page.text).toContain('VISA •••• 4242, 12/39')
    expect(page.text).not.toMatch(/name="card_number"[^>]*required/)
    // An e-mail does not make anybody the customer; neither is another customer.
    const other = await at.client().customers.create({ email: 'other@example.com', name: 'Bob' })
    const strangers = [
      { ...asked, customer: { email } },
      { ...asked, customer: { customer_id: other.customer_id } },
      { customer: { customer_id: customerId } },
    ]
    for (const more of strangers) {
      const { session_id: id } = await checkout(at, productId, more)
      expect((await pageOf(id)).text).not.toContain('4242')
      const tried = await shopper(at).pay(id, '', { payment_method_id: methodId, email })
      expect([tried.status, (await at.client().checkoutSessions.retrieve(id)).payment_id]).toEqual([
        422,
        null,
      ])
    }
    const paid = await shopper(at).pay(named.session_id, '', { payment_method_id: methodId })
    expect(paid.status).toBe(303)
    expect(await latestOf(at, named.session_id)).toMatchObject({
      status: 'succeeded',
      payment_method_id: methodId,
      card_last_four: '4242',
      customer: { customer_id: customerId },
    })
  })

  it('lets the buyer choose of a collection [payments#collections]', async () => {
    const [one, two, hidden] = [await pack(at), await monthly(at), await pack(at)]
    const collection = await at.client().productCollections.create({
      name: fresh('Plans'),
      groups: [
        { products: [{ product_id: one.productId }, { product_id: two.productId }] },
        { group_name: 'old', status: false, products: [{ product_id: hidden.productId }] },
      ],
    })
    const body = { product_cart: [], product_collection_id: collection.id }
    const preview = await at.client().checkoutSessions.preview(body)
    expect(preview.total_price).toBe(999)
    const { session_id: sessionId } = await at.client().checkoutSessions.create({
      ...body,
      subscription_data: { trial_period_days: 0 },
    })
    const person = shopper(at)
    const page = await person.visit(`/checkout/${sessionId}`)
    expect(page.text).toContain(`name="product_id" value="${one.productId}" checked`)
    expect(page.text).toContain(`name="product_id" value="${two.productId}"`)
    expect(page.text).not.toContain(hidden.productId)
    expect(page.text).not.toContain('discount_code')
    const stray = await person.pay(sessionId, pays, { product_id: hidden.productId })
    expect([stray.status, stray.text.includes('is not for sale here')]).toEqual([422, true])
    // What was shown was the first, which is cheaper: the new total is shown before it is charged.
    const chosen = { product_id: two.productId, shown_total: 'EUR 999' }
    const dearer = await person.pay(sessionId, pays, chosen)
    expect([dearer.status, dearer.text.includes('EUR 2000')]).toEqual([422, true])
    const paid = await person.pay(sessionId, pays, { ...chosen, shown_total: 'EUR 2000' })
    expect(paid.status).toBe(303)
    const payment = await latestOf(at, sessionId)
    expect(payment).toMatchObject({ status: 'succeeded', total_amount: 2_000 })
    const subscription = await at.client().subscriptions.retrieve(payment.subscription_id ?? '')
    expect(subscription.product_id).toBe(two.productId)

    const wrong: readonly [object, number, string][] = [
      [{ product_collection_id: 'pdc_none' }, 404, 'NOT_FOUND'],
      [{ product_cart: [{ product_id: one.productId, quantity: 1 }] }, 422, 'INVALID_REQUEST_BODY'],
      [{ discount_codes: ['ANY'] }, 422, 'INVALID_REQUEST_BODY'],
      [{ confirm: true, customer: { email: 'a@b.co' } }, 422, 'INVALID_REQUEST_BODY'],
    ]
    for (const [more, status, code] of wrong) {
      for (const path of ['POST /checkouts', 'POST /checkouts/preview'] as const) {
        const answer = await at.call(path, { body: { ...body, ...more } })
        expect([answer.status, answer.body.code], JSON.stringify(more)).toEqual([status, code])
      }
    }
    const late = await at.client().checkoutSessions.create(body)
    await at.client().productCollections.delete(collection.id)
    expect((await pageOf(late.session_id)).status).toBe(410)
    expect((await person.pay(late.session_id, pays)).status).toBe(410)
  })
})

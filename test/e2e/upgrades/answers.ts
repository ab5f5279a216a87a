import { onceMeasured } from '../once-measured.ts'
import type { Installation } from './installation.ts'

/** What each path answers. */
export type Answers = Readonly<Record<string, unknown>>

type Item = Readonly<Record<string, unknown>>

/** Everything that the API says of the installation: every list, and each object in it. */
export async function answersOf(at: Pick<Installation, 'ask'>): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  await list('/meters', (meter) => [`/meters/${meter['id']}`])
  await list('/meters?archived=true')
  await list('/products', ({ product_id: id }) => [`/products/${id}`])
  await list('/webhooks', ({ id }) => [`/webhooks/${id}/headers`, `/webhooks/${id}/secret`])
  await list('/events', (event) => {
    const path = `/events/${encodeURIComponent(String(event['event_id']))}`
    return [path, `${path}/explanation`]
  })
  await list('/subscriptions', ({ subscription_id: id }) => [
    ...[`/subscriptions/${id}`, `/subscriptions/${id}/credit-usage`],
    `/subscriptions/${id}/usage-history`,
  ])
  await list('/customers', ({ customer_id: id }) => [`/customers/${id}/credit-entitlements`])
  await list('/credit-entitlements?deleted=true')
  for (const { id: creditId } of await list('/credit-entitlements')) {
    const balances = `/credit-entitlements/${creditId}/balances`
    for (const { customer_id: customerId } of await list(balances)) {
      const account = `${balances}/${customerId}`
      await keep(account)
      await list(`${account}/grants`)
      await list(`${account}/ledger`, ({ id }) => [`/credit-ledger-entries/${id}/explanation`])
    }
  }
  return answers

  async function list(path: string, more: (item: Item) => readonly string[] = () => []) {
    // Webhook endpoints come in a list of another form, and few of them.
    const sized = path === '/webhooks' ? path : `${path}${path.includes('?') ? '&' : '?'}${page}`
    const { items, data } = (await keep(sized)) as { items?: Item[]; data?: Item[] }
    const all = items ?? data ?? []
    for (const item of all) for (const further of more(item)) await keep(further)
    return all
  }

  async function keep(path: string): Promise<unknown> {
    const answer = await onceMeasured(() => at.ask(`GET ${path}` as `GET /${string}`))
    answers[path] = answer
    return answer
  }
}

const page = 'page_size=100'

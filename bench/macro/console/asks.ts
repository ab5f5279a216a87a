import type { Shop } from '../../../test/support/console/shop.ts'
import type { Stream } from '../archive/stream.ts'
import { customerOf, eventNames, idOf } from '../archive/stream.ts'
import type { Crowd } from './multiply.ts'

/** What somebody asks the console for, by what it is. */
export type Asks = readonly (readonly [label: string, path: string])[]

export interface AsksOptions {
  readonly shop: Shop
  readonly stream: Stream
  readonly crowd: Crowd
}

/** Each list as it opens, the filters that find few or none, and a page in the depth. */
export function listAsks(options: AsksOptions): Asks {
  const { crowd } = options
  const deep = (count: number) => `page_size=50&page_number=${Math.floor(count / 100)}`
  return [
    ['customers', '/customers?page_size=50'],
    ['customers, one of a name', '/customers?page_size=50&name=number+77777'],
    ['customers, none of a name', '/customers?page_size=50&name=nobody'],
    ['customers, none of an address', '/customers?page_size=50&email=%40nowhere.example'],
    ['customers, half way down', `/customers?${deep(crowd.customers)}`],
    ['subscriptions', '/subscriptions?page_size=50'],
    ['subscriptions, few of a status', '/subscriptions?page_size=50&status=cancelled'],
    ['subscriptions, none of a status', '/subscriptions?page_size=50&status=on_hold'],
    ['subscriptions, half way down', `/subscriptions?${deep(crowd.customers)}`],
    ...moneyAsks(options, deep),
    ...creditAsks(options, deep),
    ...eventAsks(options),
  ]
}

type Deep = (count: number) => string

function moneyAsks({ shop, crowd }: AsksOptions, deep: Deep): Asks {
  const nobody = 'page_size=50&customer_id=cus_nobody'
  return [
    ['payments', '/payments?page_size=50'],
    ['payments, few of a status', '/payments?page_size=50&status=failed'],
    ['payments, none of a currency', '/payments?page_size=50&currency=JPY'],
    ['payments, none of a dispute', '/payments?page_size=50&dispute_status=dispute_lost'],
    ['payments of a customer', `/payments?page_size=50&customer_id=${customerOf(7)}`],
    ['payments of a product', `/payments?page_size=50&product_id=${shop.product}`],
    ['payments, half way down', `/payments?${deep(crowd.payments)}`],
    ['balance', '/balances/ledger?page_size=50'],
    ['balance, few of a kind', '/balances/ledger?page_size=50&event_type=refund'],
    ['balance of a payment', `/balances/ledger?reference_object_id=${shop.payment}`],
    ['balance, half way down', `/balances/ledger?${deep(crowd.payments)}`],
    ['refunds', '/refunds?page_size=50'],
    ['refunds, none of a status', '/refunds?page_size=50&status=failed'],
    ['refunds of nobody', `/refunds?${nobody}`],
    ['disputes', '/disputes?page_size=50'],
    ['disputes, none of a status', '/disputes?page_size=50&dispute_status=dispute_lost'],
    ['disputes of nobody', `/disputes?${nobody}`],
    ['payouts', '/payouts?page_size=50'],
    ['licenses', '/license_keys?page_size=50'],
    ['licenses, none of a status', '/license_keys?page_size=50&status=expired'],
    ['licenses, none of a product', `/license_keys?page_size=50&product_id=${shop.product}`],
  ]
}

function creditAsks({ shop, crowd }: AsksOptions, deep: Deep): Asks {
  const balances = `/credit-entitlements/${shop.credit}/balances`
  const busiest = `${balances}/${shop.customer}/ledger`
  return [
    ['credits of a customer', `/customers/${shop.customer}/credit-entitlements`],
    ['balances', `${balances}?page_size=50`],
    ['balances, half way down', `${balances}?${deep(crowd.customers)}`],
    ['ledger of the busiest', `${busiest}?page_size=50`],
    ['ledger, half way down', `${busiest}?${deep(crowd.entries / 100)}`],
    ['ledger, none of a type', `${busiest}?page_size=50&transaction_type=overage_charged`],
    ['overview, what was taken and used', '/overview/totals'],
  ]
}

function eventAsks({ stream }: AsksOptions): Asks {
  const middle = Math.floor((stream.from + stream.to) / 2_000)
  const hour = `start=${at(middle)}&end=${at(middle + 3_600_000)}`
  const some = idOf(Math.floor(stream.events / 3))
  return [
    ['events', '/events?page_size=50'],
    ['events, page 500', '/events?page_size=50&page_number=500'],
    ['events of a name', `/events?page_size=50&event_name=${eventNames[1]}`],
    ['events of a name that none has', '/events?page_size=50&event_name=nothing.done'],
    ['events of the busiest customer', `/events?page_size=50&customer_id=${customerOf(0)}`],
    ['events of a customer in the tail', `/events?page_size=50&customer_id=${customerOf(99)}`],
    ['events of an hour', `/events?page_size=50&${hour}`],
    ['an event by its id', `/events/${some}`],
    ['an event of an id that nothing has', `/events/${some}x`],
    ['why, of an event', `/events/${some}/explanation`],
  ]
}

const at = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Whole lists as files. */
export const exportAsks: Asks = [
  ['customers as CSV', '/export/customers'],
  ['subscriptions as CSV', '/export/subscriptions'],
  ['payments as CSV', '/export/payments'],
  ['balance as CSV', '/export/balances/ledger'],
  ['events as CSV', '/export/events'],
]

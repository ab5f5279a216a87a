import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../harness/load.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure, quantile } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import type { Size } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'

const batch = 100
/** How long a balance may take to show an event; longer is a failure. */
const patienceMs = 30_000

/**
 * Measures the time from `200` to the balance that shows the event, while others send half of what
 * can be sustained. Looks in two ways: with `Sluice-After`, which waits in the server, and again
 * and again without it. Also measures what reading the balance of the busiest customer costs.
 */
export async function benchFreshness(site: Site, size: Size, sustained: number): Promise<Result> {
  const rate = sustained / 2
  const load = await startLoad({
    workload: site.workload('f', batch),
    url: site.url,
    apiKey: site.apiKey,
    connections: 16,
    eventsMax: Number.MAX_SAFE_INTEGER,
    rate,
    deadlineMs: size.freshnessMs + patienceMs * 2,
  })
  const samples: Samples = { after: [], polled: [], busiest: [] }
  await sleep(Math.min(1_000, size.freshnessMs / 4))
  const until = performance.now() + size.freshnessMs
  const begun = await load.mark()
  await Promise.all(site.quiet.map((customer) => probe(site, customer, { until, samples })))
  const ended = await load.stop()
  const sent = (ended.events - begun.events) / ((ended.at - begun.at) / 1_000)
  const p99 = quantile([...samples.after, ...samples.polled], 0.99)
  return {
    name: 'freshness',
    lines: [
      {
        label: 'the load',
        figures: [
          figure('asked', rate, 'events/s'),
          figure('sent', sent, 'events/s'),
          figure('p50', ended.p50Ms, 'ms'),
          figure('p99', ended.p99Ms, 'ms'),
        ],
      },
      lineOf('200 → balance, with Sluice-After', samples.after),
      lineOf('200 → balance, asked again and again', samples.polled),
      lineOf('a read of the busiest balance', samples.busiest),
    ],
    goals: [{ name: '200 → balance, p99', value: p99, unit: 'ms', target: 100, better: 'less' }],
    checksum: '',
  }
}

function lineOf(label: string, samples: readonly number[]): Line {
  const figures = [
    figure('samples', samples.length, ''),
    figure('p50', quantile(samples, 0.5), 'ms'),
    figure('p99', quantile(samples, 0.99), 'ms'),
    figure('max', quantile(samples, 1), 'ms'),
  ]
  return { label, figures }
}

interface Samples {
  readonly after: number[]
  readonly polled: number[]
  readonly busiest: number[]
}

interface Probing {
  readonly until: number
  readonly samples: Samples
}

/** What one event of a probe is worth in thousandths of credits: a call, and its tokens. */
const tokens = 1_000
const worth = 1 + tokens
/** The pause between two looks at a balance, and between two probes of a customer. */
const [lookMs, pauseMs] = [5, 100]

/** Sends single events of a customer of its own, and looks at that customer's balance. */
async function probe(site: Site, customer: string, { until, samples }: Probing): Promise<void> {
  const pathOf = (whose: string) => `/credit-entitlements/${site.entitlementId}/balances/${whose}`
  let expected = await balance()
  let number = 0
  // At least once: on a slow machine the time may be over before the first balance is read.
  do {
    samples.after.push(await after())
    await sleep(pauseMs)
    samples.polled.push(await polled())
    await sleep(pauseMs)
    const at = performance.now()
    await site.call('GET', pathOf(site.customers[0] ?? ''))
    samples.busiest.push(performance.now() - at)
  } while (performance.now() < until)

  /** In thousandths of credits. */
  async function balance(headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const read = await site.call<{ balance: string }>('GET', pathOf(customer), { headers })
    return Math.round(Number(read.body.balance) * 1_000)
  }

  /** Answers the position and the moment of the `200`. */
  async function send() {
    number += 1
    const event = {
      event_id: `${customer} ${number}`,
      customer_id: customer,
      event_name: eventName,
      metadata: { model: 'small', tokens },
    }
    const { headers } = await site.call('POST', '/events/ingest', { body: { events: [event] } })
    expected -= worth
    return { at: performance.now(), position: headers.get('sluice-position') ?? '' }
  }

  async function after(): Promise<number> {
    const { at, position } = await send()
    const shown = await balance({ 'sluice-after': position })
    const ms = performance.now() - at
    assert.equal(shown, expected, 'A balance read with Sluice-After does not show the usage.')
    return ms
  }

  async function polled(): Promise<number> {
    const { at } = await send()
    while ((await balance()) !== expected) {
      assert(performance.now() - at < patienceMs, 'The balance does not show the usage.')
      await sleep(lookMs)
    }
    return performance.now() - at
  }
}

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../harness/load.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure, quantile } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { creditsGranted } from '../harness/site.ts'
import type { Size } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'

const batch = 100
/** How long a balance may be waited for; longer is a failure. */
const patienceMs = 30_000

/**
 * From `200` to the balance that shows it, while others send half of what can be sustained. Two
 * ways to look: with `Sluice-After`, which waits in the server, and again and again without it.
 * Beside them, what it costs to read the balance of the busiest customer.
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
  const probe = await openProbe(site)
  const samples = { after: [] as number[], polled: [] as number[], busiest: [] as number[] }
  await sleep(Math.min(1_000, size.freshnessMs / 4))
  const until = performance.now() + size.freshnessMs
  const begun = await load.mark()
  while (performance.now() < until) {
    samples.after.push(await probe.after())
    samples.polled.push(await probe.polled())
    samples.busiest.push(await probe.busiest())
    await sleep(20)
  }
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
    goals: [{ name: '200 → balance, p99', value: p99, unit: 'ms', target: 250, better: 'less' }],
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

/** Sends single events of a customer of its own, and looks at that customer's balance. */
async function openProbe(site: Site) {
  const [top, quiet] = [site.customers[0] ?? '', site.customers.at(-1) ?? '']
  const pathOf = (customer: string) =>
    `/credit-entitlements/${site.entitlementId}/balances/${customer}`
  let number = 0
  let expected = await balance()
  assert(expected > 0 && expected <= creditsGranted * 1_000)
  return { after, polled, busiest }

  /** In thousandths of credits. */
  async function balance(headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const read = await site.call<{ balance: string }>('GET', pathOf(quiet), { headers })
    return Math.round(Number(read.body.balance) * 1_000)
  }

  /**
   * An event that no other customer's meters hear of; answers the position and the moment of 200.
   */
  async function send() {
    number += 1
    const event = {
      event_id: `evt_probe_${number}`,
      customer_id: quiet,
      event_name: eventName,
      metadata: { model: 'small', tokens: 1_000 },
    }
    const { headers } = await site.call('POST', '/events/ingest', { body: { events: [event] } })
    return { at: performance.now(), position: headers.get('sluice-position') ?? '' }
  }

  async function after(): Promise<number> {
    const { at, position } = await send()
    const before = expected
    expected = await balance({ 'sluice-after': position })
    assert(expected < before, 'A balance read with Sluice-After does not show the usage.')
    return performance.now() - at
  }

  async function polled(): Promise<number> {
    const { at } = await send()
    const before = expected
    while (expected === before) {
      assert(performance.now() - at < patienceMs, 'The balance does not show the usage.')
      expected = await balance()
    }
    return performance.now() - at
  }

  async function busiest(): Promise<number> {
    const at = performance.now()
    await site.call('GET', pathOf(top))
    return performance.now() - at
  }
}

import { pauseFor } from '../runtime/pause.ts'
import { formatDecimal } from '../std/decimal.ts'
import type { DemoFigures } from './demo-display.ts'
import type { Sample } from './sample.ts'

export interface DemoStream {
  look(): Promise<DemoFigures>
  /** Stops sending; resolves when everything that was sent is answered. */
  stop(): Promise<void>
}

export interface StreamOptions {
  readonly server: { readonly api: string; readonly ops: string }
  readonly sample: Sample
  /** Events per second. */
  readonly rate: number
}

const tickMs = 20
const batchMax = 1_000
/** 1 000 tokens cost a credit, so each event uses a hundredth of one. */
const tokensPerEvent = 10

/** Sends usage at a steady rate, in batches, and reads what became of it. */
export async function openStream({ server, sample, rate }: StreamOptions): Promise<DemoStream> {
  const headers = {
    authorization: `Bearer ${sample.apiKey}`,
    'content-type': 'application/json',
  }
  let began = performance.now()
  const sending = new Set<Promise<void>>()
  let [sent, accepted, refused, stopped] = [0, 0, 0, false]
  let freshnessMs: number | null = null
  let probing = false
  let before: { at: number; accepted: number; settled: number } | null = null
  const { billed: billedBefore } = await readMetrics()
  const pumping = pump()
  return { look, stop }

  async function pump(): Promise<void> {
    began = performance.now()
    while (!stopped) {
      const due = Math.floor(((performance.now() - began) / 1_000) * rate)
      while (sent < due && sending.size < 64) {
        const count = Math.min(batchMax, due - sent)
        const request = send(sent, count).finally(() => sending.delete(request))
        sending.add(request)
        sent += count
      }
      await pauseFor(tickMs)
    }
  }

  async function send(first: number, count: number): Promise<void> {
    const events = Array.from({ length: count }, (_, index) => ({
      event_id: `demo-${first + index}`,
      customer_id: sample.customerId,
      event_name: sample.eventName,
      metadata: { [sample.quantityKey]: tokensPerEvent },
    }))
    const body = JSON.stringify({ events })
    // Sends the same ids again until they are answered, since a repeat costs nothing.
    // [guarantees#safe-to-repeat]
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await fetch(`${server.api}/events/ingest`, { method: 'POST', headers, body })
        .then(async (reply) => ({ reply, text: await reply.text() }))
        .catch(() => null)
      if (answer?.reply.ok === true) {
        accepted += count
        await probe(answer.reply.headers.get('sluice-position'))
        return
      }
      await pauseFor(250)
    }
    refused += count
  }

  async function look(): Promise<DemoFigures> {
    const metrics = await readMetrics()
    const balance = await readBalance(null)
    const settled = metrics.billed - billedBefore
    const now = { at: performance.now(), accepted, settled }
    const since = before ?? { at: began, accepted: 0, settled: 0 }
    before = now
    const elapsed = Math.max(0.001, (now.at - since.at) / 1_000)
    return {
      accepted,
      acceptedPerSecond: (now.accepted - since.accepted) / elapsed,
      settled,
      settledPerSecond: Math.max(0, (now.settled - since.settled) / elapsed),
      refused,
      freshnessMs,
      balance,
      expected: expectedBalance(),
      unaccounted: metrics.unaccounted,
    }
  }

  /**
   * Measures how long after an answer the balance shows what was sent; one measurement at a time.
   */
  async function probe(position: string | null): Promise<void> {
    if (probing || position === null) return
    probing = true
    const start = performance.now()
    await readBalance(position).catch(() => null)
    freshnessMs = performance.now() - start
    probing = false
  }

  async function readBalance(after: string | null): Promise<string> {
    const path = `/credit-entitlements/${sample.creditEntitlementId}/balances/${sample.customerId}`
    const wait = after === null ? {} : { 'sluice-after': after }
    const reply = await fetch(`${server.api}${path}`, { headers: { ...headers, ...wait } })
    const body = (await reply.json()) as { balance?: string }
    return body.balance ?? '–'
  }

  async function readMetrics(): Promise<{ billed: number; unaccounted: number }> {
    const text = await (await fetch(`${server.ops}/metrics`)).text()
    const read = (name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1] ?? 0,
      )
    return {
      billed: read('sluice_billing_events_total{result="billed"}'),
      unaccounted: read('sluice_unaccounted_events'),
    }
  }

  function expectedBalance(): string {
    const hundredths = BigInt(sample.credits) * 100n - BigInt(accepted)
    return formatDecimal(hundredths < 0n ? 0n : hundredths, 2)
  }

  async function stop(): Promise<void> {
    stopped = true
    await pumping
    await Promise.all(sending)
  }
}

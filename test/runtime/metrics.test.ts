import { describe, expect, it } from 'vitest'
import {
  edgeMetrics,
  engineMetrics,
  mergeExpositions,
  sidecarMetrics,
} from '../../src/runtime/metrics.ts'

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '')

describe('metrics', () => {
  it('of both threads are one text without a name twice', async () => {
    const texts = [await edgeMetrics().text(), await engineMetrics().text()]
    const merged = mergeExpositions([...texts, ...texts])
    const names = namesIn(merged)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual([...new Set(texts.flatMap(namesIn))])
    expect(names).toContain('sluice_ingest_requests_total')
    expect(names).toContain('sluice_unaccounted_events')
    expect(names).toContain('process_cpu_user_seconds_total')
  })

  it('count with their labels, and are sampled when they are asked for', async () => {
    const metrics = engineMetrics()
    metrics.billingEvents.add(3, { result: 'billed' })
    metrics.billingEvents.add(2, { result: 'billed' })
    metrics.dedupeIds.sampled(() => 42)
    metrics.billingFreshness.observe(0.02, {})
    const text = await metrics.text()
    expect(text).toContain('sluice_billing_events_total{result="billed"} 5')
    expect(text).toContain('sluice_dedupe_ids 42')
    expect(text).toContain('sluice_billing_freshness_seconds_bucket{le="0.025"} 1')
  })

  it('sample how far the loop lags in a server, and not in a sidecar, which is to cost little', async () => {
    expect(namesIn(await edgeMetrics().text())).toContain('nodejs_eventloop_lag_p99_seconds')
    const names = namesIn(await sidecarMetrics().text())
    expect(names.filter((name) => name.startsWith('nodejs_eventloop_lag'))).toEqual([
      'nodejs_eventloop_lag_seconds',
    ])
  })

  it('are added up where both threads count, and kept apart by labels', async () => {
    const [edge, engine] = [edgeMetrics(), engineMetrics()]
    edge.creditEntries.add(2, { transaction_type: 'credit_added' })
    edge.creditEntries.add(1, { transaction_type: 'manual_adjustment' })
    engine.creditEntries.add(3, { transaction_type: 'credit_added' })
    const merged = mergeExpositions([await edge.text(), await engine.text()])
    expect(merged).toContain('sluice_credit_entries_total{transaction_type="credit_added"} 5\n')
    expect(merged).toContain(
      'sluice_credit_entries_total{transaction_type="manual_adjustment"} 1\n',
    )
  })

  it('keep all that was counted, between scrapes and beyond what is kept aside', async () => {
    const metrics = edgeMetrics()
    const asked = { route: '/a', method: 'GET', code: 200 }
    for (let round = 1; round <= 3; round += 1) {
      for (let each = 0; each < 1_500; each += 1) {
        metrics.httpRequests.add(1, { ...asked })
        metrics.httpRequests.add(1, { ...asked, code: 404 })
        metrics.httpDuration.observe(each % 2 === 0 ? 0.002 : 2, { route: '/a' })
        metrics.ingestDuration.observe(0.25, {})
      }
      const text = await metrics.text()
      const lines = [
        `sluice_http_requests_total{route="/a",method="GET",code="200"} ${1_500 * round}`,
        `sluice_http_requests_total{route="/a",method="GET",code="404"} ${1_500 * round}`,
        `sluice_http_request_duration_seconds_bucket{le="0.0025",route="/a"} ${750 * round}`,
        `sluice_http_request_duration_seconds_count{route="/a"} ${1_500 * round}`,
        `sluice_ingest_request_duration_seconds_count ${1_500 * round}`,
        `sluice_ingest_request_duration_seconds_sum ${375 * round}`,
      ]
      for (const line of lines) expect(text).toContain(`${line}\n`)
    }
  })

  it('show what was known last while those who are asked are away', async () => {
    const metrics = engineMetrics()
    let away = false
    metrics.logLag.sampled(async () => {
      if (away) throw new Error('away')
      return [
        [{ partition: 0 }, 7],
        [{ partition: 1 }, 0],
      ]
    })
    metrics.unaccountedEvents.sampled(() => {
      if (away) throw new Error('away')
      return 0
    })
    const first = await metrics.text()
    away = true
    expect(await metrics.text()).toBe(first)
    expect(first).toContain('sluice_log_lag_events{partition="0"} 7')
  })

  it('survive a thread that says nothing', () => {
    expect(mergeExpositions(['', ''])).toBe('')
  })
})

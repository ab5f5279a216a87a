import { describe, expect, it } from 'vitest'
import { edgeMetrics, engineMetrics, mergeExpositions } from '../../src/runtime/metrics.ts'

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '')

describe('metrics', () => {
  it('of both threads are one text without a name twice', async () => {
    const texts = [await edgeMetrics().text(), await engineMetrics().text()]
    const merged = mergeExpositions([...texts, ...texts])
    const names = namesIn(merged)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(texts.flatMap(namesIn))
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

  it('survive a thread that says nothing', () => {
    expect(mergeExpositions(['', ''])).toBe('')
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costsOf, readReport } from '../../deploy/capacity/costs.ts'
import { needsAt, tableOf } from '../../deploy/capacity/plan.ts'

const at = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname
const reports = ['asked-edge', 'asked-end-to-end'].map((name) =>
  readReport(at(`bench/results/${name}.json`)),
)
const costs = costsOf(reports)

describe('capacity on paper', () => {
  it('is the table that the recorded benches give', () => {
    expect(readFileSync(at('deploy/capacity.md'), 'utf8')).toContain(tableOf(costs))
  })

  it('grows with the rate, and with what an event costs', () => {
    const [small, large] = [needsAt(100_000, costs), needsAt(1_000_000, costs)]
    for (const name of ['gatewayCores', 'engineCores', 'postgresCores', 'redisBytes'] as const)
      expect(large[name] / small[name]).toBeCloseTo(10)
    const dear = needsAt(100_000, { ...costs, engine: costs.engine * 3 })
    expect(dear.engineCores / small.engineCores).toBeCloseTo(3)
    expect(dear.gatewayCores).toBe(small.gatewayCores)
    expect(needsAt(1, costs)).toMatchObject({ gateways: 2, engines: 2, bottleneck: 'nothing' })
  })

  it('names the figure that a report does not have', () => {
    expect(() => costsOf(reports.slice(1))).toThrow('run the bench distributed-edge with --json')
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bentClockMissing } from '../support/servers/bent-clock.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { kafkaMissing, startKafka } from '../support/servers/kafka.ts'
import { subscriber } from './plan.ts'
import { world } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-broker-'))
const file = join(folder, 'shift')
afterAll(() => rmSync(folder, { recursive: true }))
const jumpTo = (hours: number) => writeFileSync(file, `${hours * 3_600}`)

describeWith(kafkaMissing ?? bentClockMissing, 'a broker whose clock is wrong', () => {
  const at = world(
    // Longer than any jump of the clock.
    { DEDUPE_WINDOW: '2h' },
    {
      parts: {
        companions: [],
        async open() {
          jumpTo(0)
          const kafka = await startKafka({ bent: file })
          return { environment: kafka.settings, close: kafka.stop }
        },
      },
    },
  )

  it('makes no id count twice, and is told', { timeout: 300_000 }, async () => {
    const one = await subscriber(at)
    const gauge = 'sluice_clock_ahead_seconds{clock="log"}'
    let others = 0
    for (const hours of [0, 5, -50, 0]) {
      jumpTo(hours)
      // Events of others move the log's time; the broker looks at its clock once a second.
      const ahead = async () => {
        others += 1
        await one.use({ event_id: `other ${others}` })
        return Math.round(((await at.metrics()).get(gauge) ?? 0) / 3_600)
      }
      await expect.poll(ahead, { timeout: 60_000, interval: 500 }).toBe(hours)
      const { checks } = (await (await fetch(`${at.url('ops')}/readyz`)).json()) as Readiness
      expect(checks['log clock']?.state).toBe(hours === 0 ? 'ok' : 'degraded')
      for (let turn = 0; turn < 2; turn += 1) {
        const position = await one.use({ event_id: 'the same' })
        await expect
          .poll(() => one.balance(position).catch(() => null), { timeout: 60_000 })
          .toMatchObject({ balance: `${100 - others - 1}` })
      }
    }
    await expect.poll(async () => (await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
    expect(await at.sluice('verify')).toMatchObject({ ok: true })
  })
})

interface Readiness {
  readonly checks: Readonly<Record<string, { readonly state: string }>>
}

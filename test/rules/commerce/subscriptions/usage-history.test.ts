import { describe, expect, it } from 'vitest'
import type { MeasuredUsage } from '../../../../src/rules/commerce/subscriptions/usage-history.ts'
import { usageHistory } from '../../../../src/rules/commerce/subscriptions/usage-history.ts'
import type { Link } from '../../../../src/rules/meter/route.ts'
import { usage } from '../../../../src/rules/meter/route.ts'
import { formatDecimal, parseDecimal } from '../../../../src/std/decimal.ts'
import { formatInstant } from '../../../../src/std/instant.ts'
import { instantAt } from '../../../support/store/scratch-store.ts'

type Life = Parameters<typeof usageHistory>[0]

const on = (text: string) => instantAt(`${text}T00:00:00Z`)
const units = (text: string) => usage(parseDecimal(text, 18) ?? 0n)
const month = { count: 1, interval: 'Month' } as const

const calls: Link = {
  meterId: 'mtr_calls',
  entitlementId: null,
  unitsPerCredit: null,
  freeThreshold: units('1000'),
  pricePerUnit: '2',
}
const tokens: Link = {
  meterId: 'mtr_tokens',
  entitlementId: 'cde_1',
  unitsPerCredit: parseDecimal('1000', 18),
  freeThreshold: units('10'),
  pricePerUnit: '7',
}
const life: Life = {
  status: 'active',
  cancelledAt: null,
  expiresAt: null,
  nextBillingDate: on('2026-03-01'),
  stretches: [
    { from: on('2026-01-01'), anchor: on('2026-01-01'), frequency: month, links: [calls, tokens] },
  ],
}

const used = (
  link: Link,
  cycle: string,
  value: string,
  rest: Partial<MeasuredUsage> = {},
): MeasuredUsage => ({
  meterId: link.meterId,
  entitlementId: link.entitlementId,
  cycleAt: on(cycle),
  segmentAt: on(cycle),
  fold: { aggregation: 'sum', events: 1, value: units(value), last: null },
  ...rest,
})

const lines = (subscription: Life, measured: readonly MeasuredUsage[], today: string) =>
  usageHistory(subscription, measured, on(today)).map(({ start, end, meters }) => [
    ...[start, end].map((at) => formatInstant(at).slice(0, 10)),
    ...meters.map((meter) =>
      [
        meter.meterId,
        formatDecimal(meter.consumed, 18),
        formatDecimal(meter.freeThreshold, 18),
        formatDecimal(meter.chargeable, 18),
        meter.pricePerUnit,
        meter.totalPrice,
      ].join(' '),
    ),
  ])

describe('usage history [resources#prices]', () => {
  it('prices what is above the free threshold: 2 500 calls, 1 000 free, 2 each', () => {
    expect(lines(life, [used(calls, '2026-01-01', '2500')], '2026-01-20')).toEqual([
      ...[['2026-01-01', '2026-02-01', 'mtr_calls 2500 1000 1500 2 3000', 'mtr_tokens 0 10 0 0 0']],
    ])
  })

  it('has a line for each period, newest first, and the threshold fresh in each', () => {
    const measured = [used(calls, '2026-01-01', '1500'), used(calls, '2026-02-01', '1400')]
    expect(lines(life, measured, '2026-02-01').map((line) => line[2])).toEqual([
      'mtr_calls 1400 1000 400 2 800',
      'mtr_calls 1500 1000 500 2 1000',
    ])
  })

  it('charges no money for a meter that is tied to credits [meters#worth]', () => {
    const [line] = lines(life, [used(tokens, '2026-01-01', '2510')], '2026-01-20')
    expect(line?.[3]).toBe('mtr_tokens 2510 10 2500 0 0')
  })

  it('rounds half up once a line', () => {
    const cheap = { ...calls, freeThreshold: units('0'), pricePerUnit: '0.1' }
    const of = { ...life, stretches: life.stretches.map((all) => ({ ...all, links: [cheap] })) }
    for (const [amount, price] of [
      ['4', 0],
      ['5', 1],
      ['14.999', 1],
      ['15', 2],
    ] as const) {
      const measured = [used(cheap, '2026-01-01', amount)]
      expect(usageHistory(of, measured, on('2026-01-02'))[0]?.meters[0]?.totalPrice).toBe(price)
    }
  })

  it('lets a change of terms reprice nothing inside the period', () => {
    const dearer = { ...calls, pricePerUnit: '5' }
    const [first] = life.stretches
    if (first === undefined) throw new Error('A life without a stretch.')
    const of: Life = {
      ...life,
      stretches: [first, { ...first, from: on('2026-01-10'), links: [dearer] }],
    }
    const measured = [
      used(calls, '2026-01-01', '1500'),
      used(dearer, '2026-01-01', '100', { segmentAt: on('2026-01-10') }),
    ]
    // 500 above the threshold at 2, and 100 more at 5.
    expect(lines(of, measured, '2026-01-20')[0]?.[2]).toBe('mtr_calls 1600 1000 600 5 1500')
  })

  it('takes what was added in its order, however it comes, and charges no less than nothing', () => {
    const dearer = { ...calls, pricePerUnit: '5' }
    const [first] = life.stretches
    if (first === undefined) throw new Error('A life without a stretch.')
    const later = { segmentAt: on('2026-01-10') }
    const of: Life = {
      ...life,
      stretches: [first, { ...first, from: on('2026-01-10'), links: [dearer] }],
    }
    const price = (measured: readonly MeasuredUsage[]) => lines(of, measured, '2026-01-20')[0]?.[2]
    const turned = [used(dearer, '2026-01-01', '100', later), used(calls, '2026-01-01', '1500')]
    expect(price(turned)).toBe('mtr_calls 1600 1000 600 5 1500')
    // 500 above the threshold came at 2 each, and went at 5.
    const fallen = [used(calls, '2026-01-01', '1500'), used(dearer, '2026-01-01', '-500', later)]
    expect(price(fallen)).toBe('mtr_calls 1000 1000 0 5 0')
  })

  it('names the meters of its own terms alone, and what was used besides', () => {
    const [first] = life.stretches
    if (first === undefined) throw new Error('A life without a stretch.')
    const free = { ...calls, meterId: 'mtr_free', pricePerUnit: null }
    const of: Life = {
      ...life,
      stretches: [
        { ...first, links: [calls] },
        { ...first, from: on('2026-02-01'), anchor: on('2026-02-01'), links: [tokens] },
        { ...first, from: on('2026-03-01'), anchor: on('2026-03-01'), links: [free] },
      ],
    }
    const meters = (measured: readonly MeasuredUsage[]) =>
      lines(of, measured, '2026-03-20').map((line) => line.slice(2))
    expect(meters([])).toEqual([
      ...[['mtr_free 0 1000 0 0 0'], ['mtr_tokens 0 10 0 0 0'], ['mtr_calls 0 1000 0 2 0']],
    ])
    const late = used(calls, '2026-02-01', '1300')
    expect(meters([late])[1]).toEqual(['mtr_tokens 0 10 0 0 0', 'mtr_calls 1300 1000 300 2 600'])
    const nobodys = used({ ...calls, meterId: 'mtr_x' }, '2026-03-01', '8')
    const unpriced = used(free, '2026-03-01', '1200')
    expect(meters([nobodys, unpriced])[0]).toEqual([
      ...['mtr_free 1200 1000 200 0 0', 'mtr_x 8 0 0 0 0'],
    ])
  })

  it('begins a period with its first moment, or with usage that comes before it', () => {
    const starts = (measured: readonly MeasuredUsage[], today: string) =>
      lines(life, measured, today).map(([start]) => start)
    expect(starts([], '2026-02-01')).toEqual(['2026-02-01', '2026-01-01'])
    expect(starts([], '2026-01-31')).toEqual(['2026-01-01'])
    const ahead = used(calls, '2026-02-01', '1')
    expect(starts([ahead], '2026-01-31')).toEqual(['2026-02-01', '2026-01-01'])
    expect(lines({ ...life, stretches: [] }, [], '2026-02-01')).toEqual([])
  })

  it('adds the hours of one meter, and ends with the subscription', () => {
    const of: Life = { ...life, status: 'cancelled', cancelledAt: on('2026-01-15') }
    const measured = [used(calls, '2026-01-01', '700'), used(calls, '2026-01-01', '400')]
    expect(lines(of, measured, '2026-06-01')).toEqual([
      ['2026-01-01', '2026-01-15', 'mtr_calls 1100 1000 100 2 200', 'mtr_tokens 0 10 0 0 0'],
    ])
  })

  it('ends with the period of the subscription, in the middle of a cycle, too [subscriptions#endings]', () => {
    const ends = (expiresAt: string) =>
      lines({ ...life, status: 'expired', expiresAt: on(expiresAt) }, [], '2026-06-01').map(
        ([start, end]) => [start, end],
      )
    const first = ['2026-01-01', '2026-02-01']
    expect(ends('2026-02-15')).toEqual([['2026-02-01', '2026-02-15'], first])
    expect(ends('2026-03-01')).toEqual([['2026-02-01', '2026-03-01'], first])
  })
})

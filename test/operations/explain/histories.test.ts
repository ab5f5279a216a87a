import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute, second } from '../../../src/std/instant.ts'
import type { EntryExplanationView, EventExplanationView } from '../../../src/wire/explanation.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { done, openShop } from '../../support/process/shop.ts'
import { runs } from '../../support/run/runs.ts'

type Move =
  | { readonly kind: 'send'; readonly tokens: readonly (number | string)[] }
  | { readonly kind: 'measure' | 'settle' | 'archive' | 'subscribe' }
  | { readonly kind: 'link'; readonly units: number; readonly threshold: number }

const tokens = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -50, max: 400 }) },
  fc.constantFrom('12.5', 'none', '0.001'),
)

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      tokens: fc.array(tokens, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom('measure' as const, 'settle' as const, 'archive' as const)
      .map((kind) => ({ kind })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      units: fc.constantFrom(1, 7, 100),
      threshold: fc.constantFrom(0, 30),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'subscribe' as const }) },
)

describe('explanations of whole histories', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await openPipeline()
  })
  afterAll(() => pipeline.drop())

  it('add up to the books: every event once, usage step by step, each entry by its events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 6, maxLength: 16 }),
        fc.constantFrom('sum', 'max', 'last', 'count'),
        fc.boolean(),
        async (moves, type, linked) => {
          const { events, entries } = await played(moves, type, linked)
          for (const event of events) expectAgreement(event)
          expectChains(events)
          expectCovered(events, entries)
        },
      ),
      { ...runs(25), examples: [[overtaken, 'sum', true]] },
    )
  }, 240_000)

  async function played(moves: readonly Move[], type: string, linked: boolean) {
    const aggregation = type === 'count' ? { type } : { type, key: 'tokens' }
    const shop = await openShop(pipeline, { aggregation }, { overage_enabled: true, ...money })
    const { id } = await done(shop.call()('POST /meters', twin))
    await shop.grant('3')
    if (linked) await shop.link('10', 0, [id])
    const ids: string[] = []
    for (const one of [...moves, ...ending]) {
      pipeline.pass(one.kind === 'subscribe' ? minute : second)
      if (one.kind === 'send') {
        const sent = one.tokens.map((_, index) => `${ids.length + index}`)
        pipeline.ingest(
          shop.businessId,
          one.tokens.map((value, index) => shop.event(sent[index] ?? '', { tokens: value })),
        )
        ids.push(...sent)
      } else if (one.kind === 'measure') await pipeline.measureAll()
      else if (one.kind === 'settle') await pipeline.settle()
      else if (one.kind === 'archive') await pipeline.archive()
      else if (one.kind === 'link') await shop.link(`${one.units}`, one.threshold, [id])
      else await shop.subscribe('2')
    }
    const events = await Promise.all(ids.map((id) => shop.explained(id)))
    const path = `/credit-entitlements/${shop.creditId}/balances/${shop.customer}/ledger` as const
    const { items } = await done(shop.call()(`GET ${path}?page_size=100`))
    const usage = items.filter((item) => item['reference_type'] === 'meter')
    const entries = await Promise.all(usage.map(({ id }) => shop.entryOf(id)))
    return { events, entries: entries as readonly unknown[] as readonly EntryExplanationView[] }
  }
})

const money = { price_per_unit: '1', currency: 'USD' }
const twin = {
  name: 'Twin',
  event_name: 'completion',
  aggregation: { type: 'sum', key: 'tokens' },
  measurement_unit: 'token',
  filter: {
    conjunction: 'and',
    clauses: [{ key: 'tokens', operator: 'greater_than', value: 10 }],
  },
}
/** What the default links took stays theirs, though a subscription now covers the same time. */
const overtaken: Move[] = [
  { kind: 'send', tokens: [40, 50, 60] },
  { kind: 'measure' },
  { kind: 'subscribe' },
  { kind: 'send', tokens: [70, 80] },
]
const ending: readonly Move[] = [{ kind: 'measure' }, { kind: 'settle' }]

type Effect = EventExplanationView['meters'][number]['effects'][number]

const effectsOf = (event: EventExplanationView): readonly (Effect & { readonly name: string })[] =>
  event.meters.flatMap(({ meter_id, effects }) =>
    effects.map((effect) => ({
      ...effect,
      name: `${meter_id} ${effect.route.id} ${effect.cycle.start}`,
    })),
  )

/** Each billed event counts somewhere, and its usage adds up to what the books have charged. */
function expectAgreement(event: EventExplanationView): void {
  const effects = effectsOf(event)
  expect(effects.length > 0).toBe(event.verdict.outcome === 'counted')
  expect(event.why_nothing === null).toBe(event.verdict.outcome === 'counted')
  for (const { usage, settling } of effects) {
    expect(usage).toMatchObject({ agrees_with_books: true, is_complete: true })
    expect(['settled', 'no_change']).toContain(settling.state)
  }
}

/** In order of receipt, each event begins where the one before it has ended. */
function expectChains(events: readonly EventExplanationView[]): void {
  const ends = new Map<string, { readonly usage: string; readonly credits: string | undefined }>()
  for (const event of events.toSorted(byReceipt)) {
    for (const { name, usage, credits } of effectsOf(event)) {
      const before = ends.get(name) ?? { usage: '0', credits: '0' }
      expect({ usage: usage.before, credits: credits?.before }).toEqual(before)
      ends.set(name, { usage: usage.after, credits: credits?.after })
    }
  }
}

/** Every settled event is behind the entries that its explanation names, and behind no others. */
function expectCovered(
  events: readonly EventExplanationView[],
  entries: readonly EntryExplanationView[],
): void {
  const named = events.flatMap((event) =>
    effectsOf(event).flatMap(({ settling }) =>
      settling.entries.map(({ entry }) => `${entry.id} ${event.event.event_id}`),
    ),
  )
  const covered = entries.flatMap(({ entry, cause }) => {
    expect(cause.events).toMatchObject({ is_complete: true, count: cause.events?.items.length })
    return (cause.events?.items ?? []).map(({ event_id }) => `${entry.id} ${event_id}`)
  })
  expect(named.toSorted()).toEqual(covered.toSorted())
}

const byReceipt = ({ received: a }: EventExplanationView, { received: b }: EventExplanationView) =>
  a.at < b.at || (a.at === b.at && placeOf(a) < placeOf(b)) ? -1 : 1

const placeOf = ({ partition, offset, index }: EventExplanationView['received']): number =>
  partition * 1e9 + offset * 1e4 + index

import fc from 'fast-check'
import { expect } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import { instantOf, minute } from '../../../src/std/instant.ts'
import { linkTo } from './links.ts'
import type { Sent, VoidWorld } from './world.ts'
import { customers } from './world.ts'

/** What a business and its customers do while events are sent, measured, archived and voided. */
export type Move = Flow | Change

type Flow =
  | {
      readonly kind: 'send'
      readonly events: readonly Omit<Sent, 'event_id'>[]
      readonly repeat: boolean
    }
  | { readonly kind: 'void'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'measure' }
  | { readonly kind: 'archive' }
  | { readonly kind: 'merge' }
  | { readonly kind: 'fold' }

type Change =
  | { readonly kind: 'meter'; readonly aggregation: AggregationType; readonly filtered: boolean }
  | { readonly kind: 'archiveMeter' | 'unarchiveMeter' | 'link' | 'unlink'; readonly which: number }
  | { readonly kind: 'subscribe' | 'end' | 'replan' | 'reanchor'; readonly which: number }

const one = <K extends string>(kind: K) =>
  fc.record({ kind: fc.constant(kind), which: fc.nat({ max: 50 }) })

const quantity = fc.oneof(
  fc.integer({ min: -5, max: 9 }),
  fc.constantFrom(
    '3.5',
    '-0.000000000000000001',
    '12345678901234567890',
    2 ** 53 - 1,
    'none',
    true,
  ),
)

const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send'),
      repeat: fc.boolean(),
      events: fc.array(
        fc.record({
          customer_id: fc.constantFrom(...customers),
          event_name: fc.constantFrom('call', 'call', 'store'),
          metadata: fc.record({ n: quantity }),
          lead: fc
            .oneof(fc.integer({ min: -50, max: 5 }), fc.integer({ min: -1_380, max: -61 }))
            .map((minutes) => minutes * minute),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  { weight: 12, arbitrary: one('void') },
  { weight: 6, arbitrary: fc.constant({ kind: 'measure' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'archive' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'merge' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'fold' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('meter'),
      aggregation: fc.constantFrom<AggregationType>('count', 'sum', 'max', 'last'),
      filtered: fc.boolean(),
    }),
  },
  one('archiveMeter'),
  one('unarchiveMeter'),
  { weight: 2, arbitrary: one('link') },
  one('unlink'),
  { weight: 2, arbitrary: one('subscribe') },
  one('end'),
  one('replan'),
  one('reanchor'),
)

/** Programs begin with a meter of every aggregation, an entitlement and a subscription. */
export const programs = fc
  .array(moves, { minLength: 15, maxLength: 60 })
  .map((random): readonly Move[] => [
    ...(['count', 'sum', 'max', 'last'] as const).map(
      (aggregation): Move => ({ kind: 'meter', aggregation, filtered: false }),
    ),
    { kind: 'link', which: all },
    { kind: 'subscribe', which: all },
    ...random,
  ])

export const someOf = fc.array(fc.boolean(), { minLength: 7, maxLength: 11 })

export async function voidSome(world: VoidWorld, voided: Set<string>, which: readonly boolean[]) {
  for (const [index, eventId] of [...world.taken.keys()].entries()) {
    if (which[index % which.length] !== true || voided.has(eventId)) continue
    const outcome = await attempt(world, eventId)
    expect(['voided', 'EVENT_VOID_TOO_LATE']).toContain(outcome)
    if (outcome === 'voided') voided.add(eventId)
  }
}

export const attempt = (world: VoidWorld, eventId: string): Promise<string> =>
  world.voidOf(eventId).then(
    () => 'voided',
    (error: unknown) => (error instanceof Fault ? error.code : Promise.reject(error)),
  )

interface Made {
  readonly meters: string[]
  readonly entitlements: string[]
  readonly subscriptions: string[]
  readonly sent: Sent[]
}

/** Plays a program. Answers the ids of the events that it has voided. */
export async function play(world: VoidWorld, program: readonly Move[]): Promise<Set<string>> {
  const made: Made = { meters: [], entitlements: [], subscriptions: [], sent: [] }
  const voided = new Set<string>()
  for (const move of program) {
    // So no two changes happen at the same moment.
    world.clock.at = instantOf(world.clock.at + 1_000)
    if (move.kind === 'send') send(world, made, move)
    else if (move.kind === 'void') await voidOne(world, made, { move, voided })
    else if (move.kind === 'wait')
      world.clock.at = instantOf(world.clock.at + move.minutes * minute)
    else if (move.kind === 'measure') await world.measure()
    else if (move.kind === 'archive') await world.archive()
    else if (move.kind === 'merge') await world.merge()
    else if (move.kind === 'fold') await world.folds()
    else await change(world, made, move)
  }
  return voided
}

function send(world: VoidWorld, made: Made, move: Move & { kind: 'send' }): void {
  const fresh = move.events.map((event, index) => ({
    ...event,
    event_id: `evt_${made.sent.length + index}`,
  }))
  // A repeat differs in content, and counts nothing.
  const [first] = made.sent
  const repeats = move.repeat && first !== undefined ? [{ ...first, metadata: { n: 99 } }] : []
  world.send([...fresh, ...repeats])
  made.sent.push(...fresh)
}

async function voidOne(
  world: VoidWorld,
  made: Made,
  { move, voided }: { readonly move: { readonly which: number }; readonly voided: Set<string> },
): Promise<void> {
  // Now and then an id that no event has.
  const eventId = made.sent[move.which % (made.sent.length + 1)]?.event_id ?? 'evt_nobody'
  const outcome = await attempt(world, eventId)
  const known = made.sent.some((event) => event.event_id === eventId)
  if (!known) expect(outcome).toBe('NOT_FOUND')
  else if (!world.taken.has(eventId)) expect(outcome).toBe('EVENT_NOT_MEASURED')
  else if (voided.has(eventId)) expect(outcome).toBe('EVENT_ALREADY_VOIDED')
  else expect(['voided', 'EVENT_VOID_TOO_LATE']).toContain(outcome)
  if (outcome === 'voided') voided.add(eventId)
}

async function change(world: VoidWorld, made: Made, move: Change): Promise<void> {
  const call = world.call()
  const pick = (of: readonly string[]) => of[('which' in move ? move.which : 0) % of.length]
  const [meter, entitlement, subscription] = [
    pick(made.meters),
    pick(made.entitlements),
    pick(made.subscriptions),
  ]
  const which = 'which' in move ? move.which : 0
  switch (move.kind) {
    case 'meter': {
      const { aggregation, filtered } = move
      const answer = await call(
        'POST /meters',
        meterBody(made.meters.length, aggregation, filtered),
      )
      made.meters.push(answer.body.id)
      return
    }
    case 'archiveMeter':
      await skewed(world, which, () => call(`DELETE /meters/${meter}`))
      return
    case 'unarchiveMeter':
      await skewed(world, which, () => call(`POST /meters/${meter}/unarchive`))
      return
    case 'link': {
      const links = linksBody(some(made.meters, which))
      if (entitlement !== undefined && which % 2 === 1) {
        await call(`POST /credit-entitlements/${entitlement}/undelete`)
        await call(`PATCH /credit-entitlements/${entitlement}`, links)
        return
      }
      const body = { ...entitlementBody(made.entitlements.length), ...links }
      const answer = await call('POST /credit-entitlements', body)
      made.entitlements.push(answer.body.id)
      return
    }
    case 'unlink':
      await call(`DELETE /credit-entitlements/${entitlement}`)
      return
    case 'subscribe': {
      const customer = customers[which % customers.length] ?? 'cus_1'
      made.subscriptions.push(await world.subscribe(customer, linksOf(made, which)))
      return
    }
    case 'end':
      if (subscription !== undefined) await world.endSubscription(subscription)
      return
    case 'replan':
    case 'reanchor':
      if (subscription === undefined) return
      await world.restretch(subscription, linksOf(made, which), move.kind === 'reanchor')
  }
}

/**
 * Does `work` as a process would whose clock is behind. Its range of log time then covers what was
 * measured before.
 */
async function skewed(world: VoidWorld, which: number, work: () => Promise<unknown>) {
  const { clock } = world
  const now = clock.at
  if (which % 3 === 0) clock.at = instantOf(now - 20 * minute)
  await work()
  clock.at = now
}

/** With this number `some` takes the first four. */
const all = 4

/** Chooses among these by the bits of a number. */
const some = (of: readonly string[], bits: number): readonly string[] =>
  of.filter((_, index) => (bits * 7 + 3) & (1 << (index % 6)))

function linksOf(made: Made, which: number) {
  const entitlement = made.entitlements[which % made.entitlements.length] ?? null
  return some(made.meters, which).map((meterId, index) =>
    linkTo(meterId, index % 3 === 2 ? null : entitlement),
  )
}

const meterBody = (number: number, aggregation: AggregationType, filtered: boolean) => ({
  name: `Meter ${number}`,
  event_name: number % 4 === 3 && filtered ? 'store' : 'call',
  aggregation: { type: aggregation, key: aggregation === 'count' ? null : 'n' },
  measurement_unit: 'unit',
  filter: filtered
    ? { conjunction: 'and', clauses: [{ key: 'n', operator: 'greater_than', value: 0 }] }
    : null,
})

const entitlementBody = (number: number) => ({
  name: `Credits ${number}`,
  unit: 'credit',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
})

const linksBody = (meterIds: readonly string[]) => ({
  meter_links: meterIds.map((id) => ({
    meter_id: id,
    meter_units_per_credit: '1',
    free_threshold: 0,
  })),
})

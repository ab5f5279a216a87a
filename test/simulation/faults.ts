import type { Duration } from '../../src/std/instant.ts'
import { millisecond, second } from '../../src/std/instant.ts'
import { clockSteps } from './bent-clock.ts'
import type { Fleet } from './fleet.ts'
import { greedyScope } from './shop.ts'
import type { Fate, Process } from './world.ts'

/** How bad the world is, as the seed decides. */
export interface Weather {
  /** The share of calls that fail, by the part that is called. */
  readonly refused: number
  readonly unanswered: number
  readonly killed: number
  readonly slow: number
  readonly disasters: number
  /** Damage that no software can heal: a partition must be halted for it. */
  readonly ruin: 'none' | 'truncated' | 'recreated' | 'trimmed'
  /** All processes are away for longer than ids must be known. */
  readonly outage: boolean
  /** One business changes its catalog all the time, without end. */
  readonly greedy: boolean
}

export function weatherOf(fleet: Fleet): Weather {
  const { random } = fleet.site.world
  const storm = random.pick([0, 0.01, 0.03, 0.08])
  return {
    refused: storm * random.next(),
    unanswered: storm * random.next(),
    killed: storm * 0.15 * random.next(),
    slow: random.pick([0, 0.02, 0.1]),
    disasters: random.below(16),
    ruin: random.chance(0.12)
      ? random.pick(['truncated', 'recreated', 'trimmed'] as const)
      : 'none',
    outage: random.chance(0.1),
    // From a stream of its own, so that the worlds of older seeds stay as they were.
    greedy: random.stream('greedy').chance(0.05),
  }
}

/** Sooner than anything can be measured and committed, which takes two calls. */
const churnEvery = 0.4 * millisecond

const parts = ['log', 'group', 'dedupe', 'store', 'post'] as const
type Part = (typeof parts)[number]

/** Decides what becomes of each call until `stop`, and lets disasters strike meanwhile. */
export function openFaults(fleet: Fleet, weather: Weather, during: Duration) {
  const { world } = fleet.site
  const { random } = world
  /** Connections that are cut: `process part`, or `part` for those of all processes. */
  const cut = new Set<string>()
  let stopped = false
  const disasters = disastersIn()
  world.decideBy(decide)
  return { start, stop }

  function decide(process: Process, call: string): Fate {
    const there = 100 + random.below(1_500)
    const back = 100 + random.below(1_500)
    if (stopped) return { kind: 'answered', there, back }
    const part = partOf(call)
    if (part !== null && (cut.has(part) || cut.has(`${process.name} ${part}`)))
      return { kind: 'refused', there, back }
    const late = random.chance(weather.slow) ? random.below(400_000) : 0
    return { kind: kindOf(part), there: there + (random.chance(0.5) ? late : 0), back: back + late }
  }

  function kindOf(part: Part | null): Fate['kind'] {
    // Calls inside of a process do not get lost.
    const dice = random.next()
    if (dice < weather.killed) return random.chance(0.5) ? 'killed before' : 'killed after'
    if (part === null) return 'answered'
    if (dice < weather.killed + weather.refused) return 'refused'
    if (dice < weather.killed + weather.refused + weather.unanswered) return 'unanswered'
    return 'answered'
  }

  function start(): void {
    for (let each = 0; each < weather.disasters; each += 1)
      world.later(null, random.below(during), () => random.pick(disasters)())
    if (weather.ruin !== 'none') world.later(null, during * (0.3 + 0.5 * random.next()), ruin)
    if (weather.greedy) world.later(null, random.stream('churn').below(during), churn)
    if (weather.outage) world.later(null, during * (0.2 + 0.5 * random.next()), outage)
  }

  function stop(): void {
    stopped = true
    cut.clear()
    world.note('faults', 'no more of them')
  }

  function ruin(): void {
    if (!stopped && weather.ruin !== 'none') fleet.ruin(weather.ruin)
  }

  /** Goes on even when everything else is well again: the others must come to rest beside it. */
  function churn(): void {
    fleet.site.store.bumpCatalog([greedyScope])
    world.later(null, churnEvery, churn)
  }

  function outage(): void {
    for (const host of fleet.hosts()) fleet.kill(host, 40 * second)
  }

  function cutFor(name: string): void {
    world.note('faults', `${name} is cut off`)
    cut.add(name)
    world.later(null, random.between(0.2, 3) * second, () => cut.delete(name))
  }

  function soon(work: () => void, secondsMax = 2): void {
    world.later(null, random.between(0.05, secondsMax) * second, () => {
      if (!stopped) work()
    })
  }

  function disastersIn(): readonly (() => void)[] {
    const { site } = fleet
    const { dedupe, log, store } = site
    const host = () => random.pick(fleet.hosts())
    const partition = () => random.below(log.partitions)
    return [
      () => fleet.kill(host()),
      () => fleet.kill(host()),
      () => fleet.stop(host()),
      () => fleet.pause(host(), random.between(0.2, 8) * second),
      () => fleet.pause(host(), random.between(0.2, 8) * second),
      () => cutFor(random.pick(parts)),
      () => cutFor(`${host().process.name} ${random.pick(parts)}`),
      () => fleet.say('dedupe is flushed', dedupe.flush),
      () => withCopy(dedupe.copy(), (copy) => dedupe.restore(copy), 'dedupe is an older copy'),
      () => withCopy(dedupe.copy(), (copy) => dedupe.restore(copy), 'dedupe is an older copy'),
      () => withCopy(store.copy(), fleet.restoreStore, 'the store is an older copy', 0.6),
      () => fleet.say('the group is balanced again', log.rebalance),
      () => fleet.say('two hold the same', () => log.assignTwice(partition())),
      () => fleet.say('log time steps', () => log.stepClock(random.between(-4, 2) * second)),
      () => stepLogTime(random.pick(clockSteps)),
      () => fleet.bendClock(host(), random.between(0.2, 8) * second),
      () => fleet.bendClock(host(), random.between(0.2, 8) * second),
      () => fleet.moveClock(host(), random.between(-4, 4) * second),
      () => fleet.say('the catalogue changes', store.bumpCatalog),
      () => fleet.say('routes change', store.bumpRoutes),
      () => fleet.say('a record is not readable', () => fleet.poison(partition())),
      () => fleet.say('a record comes twice', () => fleet.appendAgain(partition())),
      () =>
        fleet.say('a leader shows less than the last one', () =>
          log.lag(partition(), 1 + random.below(4), random.between(0.1, 1) * second),
        ),
      () => fleet.say('the log is trimmed', () => fleet.trim(partition())),
    ]
  }

  /** Steps the clock of one broker, and back. */
  function stepLogTime(by: Duration): void {
    fleet.say(`log time steps by ${by}`, () => fleet.site.log.stepClock(by))
    world.later(null, random.between(0.2, 6) * second, () => fleet.site.log.stepClock(-by))
  }

  function withCopy<T>(copy: T, restore: (copy: T) => void, what: string, secondsMax = 3): void {
    soon(() => fleet.say(what, () => restore(copy)), secondsMax)
  }
}

const partOf = (call: string): Part | null => parts.find((part) => call.startsWith(part)) ?? null

import { unpackFingerprints } from '../../src/rules/archive/fingerprints.ts'
import type { IdPrefix } from '../../src/std/id.ts'
import type { Instant } from '../../src/std/instant.ts'
import { after, second } from '../../src/std/instant.ts'
import { randomFrom } from '../chaos/random.ts'
import { audit } from './audit.ts'
import { openClients } from './clients.ts'
import { namesOf, simulatedDedupe } from './dedupe.ts'
import { simulatedLog } from './event-log.ts'
import type { Weather } from './faults.ts'
import { openFaults, weatherOf } from './faults.ts'
import { openFleet } from './fleet.ts'
import type { Site } from './host.ts'
import type { Mistake } from './mistakes.ts'
import { openReceiver } from './receiver.ts'
import { simulatedStore } from './store.ts'
import { unfinished } from './unfinished.ts'
import { openWatch } from './watch.ts'
import type { TraceLine } from './world.ts'
import { beginning, openWorld } from './world.ts'

/** Ids must be known for so long: longer than any client persists. */
export const window = 30 * second

const during = 4 * second
const patience = 120 * second

export interface Outcome {
  readonly seed: number
  readonly problems: readonly string[]
  readonly trace: readonly TraceLine[]
  readonly weather: Weather
  readonly steps: number
  readonly events: number
}

/** One world from its beginning to its rest, and whether its books are right. */
export async function simulate(seed: number, mistake: Mistake = {}): Promise<Outcome> {
  const random = randomFrom(seed)
  const opened = openSimulation({
    seed,
    partitions: 2 + random.below(3),
    hosts: 2 + random.below(2),
    lost: 0.02,
    mistake,
  })
  const { world, fleet, receiver, clients } = opened
  const weather = { ...weatherOf(fleet), ...mistake.weather }
  const faults = openFaults(fleet, weather, during)
  receiver.failing(random.pick([0, 0, 0.2]))
  clients.start({ batches: 4 + random.below(14), adjustments: random.below(5) })
  faults.start()
  world.later(null, during, () => {
    faults.stop()
    receiver.failing(0)
  })
  const problems = await opened.rest(after(beginning, during))
  const { trace, steps } = world
  return { seed, problems, trace, weather, steps: steps(), events: clients.promises.sent.size }
}

export interface SimulationOptions {
  readonly seed: number
  readonly partitions: number
  readonly hosts: number
  /** The share of answers that do not reach the clients. */
  readonly lost: number
  readonly mistake?: Mistake
}

/** A world with all that is in it, before anything has happened. */
export function openSimulation({ seed, partitions, hosts, lost, mistake = {} }: SimulationOptions) {
  const random = randomFrom(seed)
  const world = openWorld(random.stream('world'))
  const log = simulatedLog(world, partitions)
  const receiver = openReceiver(random.stream('receiver'))
  const site: Site = {
    world,
    log,
    window,
    dedupe: simulatedDedupe(window, mistake.dedupe?.(world)),
    store: simulatedStore(world, openWatch(world.problem), mistake.store),
    newId: idsInOrder(),
    receive: receiver.receive,
    onKnown: (partition, ids) => {
      if (fleet.wasRestored()) return
      for (const text of uncommitted(site, partition, ids)) world.problem(text)
    },
    misdo: mistake.misdo,
  }
  const fleet = openFleet(site, hosts)
  const persistence = 5 * second
  const options = { world, hosts: fleet.hosts, lost, during: 0.7 * during, persistence }
  const clients = openClients(options)
  return { world, site, fleet, receiver, clients, rest }

  /** Goes on until nothing is left to do, `from` at the earliest. Answers what is wrong then. */
  async function rest(from: Instant): Promise<readonly string[]> {
    const left = unfinished(site, fleet)
    const isOver = (): boolean => world.now() > from && clients.isDone() && left().length === 0
    const rested = await world.run(isOver, after(from, mistake.patience ?? patience))
    if (world.problems.length > 0) return world.problems
    const records = Array.from({ length: partitions }, (_, each) => log.everOf(each))
    const wrong = audit({ fleet, records, promises: clients.promises, received: receiver })
    return rested ? wrong : ['it does not come to rest', ...left(), ...wrong]
  }
}

/**
 * An event is dropped as a repeat only if its first copy is committed.
 * [guarantees#never-dropped-early]
 */
function uncommitted(
  { store }: Site,
  partition: number,
  ids: readonly string[],
): readonly string[] {
  if (ids.length === 0) return []
  const batches = store.tables().batches.get(partition) ?? []
  const committed = new Set(
    batches.flatMap((batch) => namesOf(unpackFingerprints(batch.fingerprints))),
  )
  return ids
    .filter((id) => !committed.has(id))
    .map((id) => `${partition}: ${id} is known, and not committed`)
}

function idsInOrder() {
  let number = 0
  return (prefix: IdPrefix): string => {
    number += 1
    return `${prefix}_${String(number).padStart(21, '0')}`
  }
}

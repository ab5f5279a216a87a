import type { NewRecord } from '../../src/parts/event-log/port.ts'
import { unpackFingerprints } from '../../src/rules/archive/fingerprints.ts'
import type { LogLine } from '../../src/rules/meter/usage-event.ts'
import type { Duration } from '../../src/std/instant.ts'
import { second } from '../../src/std/instant.ts'
import type { DedupeMistakes } from './dedupe.ts'
import type { Weather } from './faults.ts'
import type { HostParts, Site } from './host.ts'
import { fingerprinter } from './host.ts'
import type { StoreMistakes } from './store-measuring.ts'
import { keepDeliveries, takenFacts } from './store-telling.ts'
import type { Call, World } from './world.ts'

/** A rule of the design, broken on purpose: a simulation that does not notice is worth nothing. */
export interface Mistake {
  readonly store?: StoreMistakes
  readonly dedupe?: (world: World) => DedupeMistakes
  readonly misdo?: Site['misdo']
  /** The weather in which it shows, where that is rare. */
  readonly weather?: Partial<Weather>
  /** So long it may take to come to rest: a world that goes round in a circle costs time. */
  readonly patience?: Duration
}

export const mistakes = {
  'mark before commit': { misdo: markBeforeCommit },
  'no epoch': { store: { ignoresEpoch: true } },
  'no offset compare': { store: { ignoresOffset: true } },
  'generations by the clock': {
    dedupe: (world) => ({ forgetsBy: world.now }),
    weather: { outage: true, ruin: 'none' },
  },
  'dedupe answers although it is not synced': { dedupe: () => ({ answersUnsynced: true }) },
  'the edge claims ids before it appends': { misdo: claimBeforeAppend },
  'settling without a version check': { store: { ignoresVersion: true } },
  'measuring holds no version that moves': {
    misdo: holdNothing,
    weather: { greedy: true, outage: false, ruin: 'none' },
    // Right worlds of this weather rest within half of it.
    patience: 16 * second,
  },
  'the outbox is deleted before deliveries exist': { misdo: deleteBeforeDeliver },
} as const satisfies Record<string, Mistake>

function markBeforeCommit(parts: HostParts, site: Site): HostParts {
  const { measuring } = parts
  return {
    ...parts,
    measuring: {
      ...measuring,
      commit: (measured) => {
        for (const { partition, fingerprints } of measured.slices)
          claim(site, partition, unpackFingerprints(fingerprints))
        return measuring.commit(measured)
      },
    },
  }
}

function holdNothing(parts: HostParts): HostParts {
  const { measuring } = parts
  return { ...parts, measuring: { ...measuring, holding: (_, work) => work(measuring.commit) } }
}

function claimBeforeAppend(parts: HostParts, site: Site): HostParts {
  const { log } = parts
  return {
    ...parts,
    log: {
      ...log,
      append: (records) => {
        for (const record of records) claim(site, record.partition, idsOf(record))
        return log.append(records)
      },
    },
  }
}

function claim({ dedupe, store }: Site, partition: number, ids: Uint32Array): void {
  const { namespace } = store.tables().checkpoints.get(partition) ?? {}
  if (namespace !== undefined) dedupe.claim({ partition, namespace }, ids)
}

function idsOf({ value }: NewRecord): Uint32Array {
  const lines = Buffer.from(value).toString().split('\n').slice(0, -1)
  const words = lines.flatMap((text) => {
    const line = JSON.parse(text) as LogLine
    return [...fingerprinter.fingerprints(line.business_id, line.mode, [line.event_id])]
  })
  return Uint32Array.from(words)
}

function deleteBeforeDeliver(parts: HostParts, { store }: Site, call: Call): HostParts {
  return {
    ...parts,
    outbox: {
      ...parts.outbox,
      relay: async (bodies, at) => {
        const taken = await call('store.delete', () => takenFacts(store.tables(), bodies))
        const deliveries = await call('store.insert', () =>
          keepDeliveries(store.tables(), taken, at),
        )
        return { facts: taken.length, deliveries }
      },
    },
  }
}

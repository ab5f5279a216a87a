import type {
  CheckAnswer,
  Dedupe,
  DedupeFilter,
  Fingerprints,
  Run,
} from '../../src/parts/dedupe/port.ts'
import type { Offset, Partition } from '../../src/parts/event-log/port.ts'
import { fingerprintWords } from '../../src/std/fingerprint.ts'
import type { Duration, Instant } from '../../src/std/instant.ts'
import type { Call } from './world.ts'

/**
 * The contents of one partition's cache. It is replaced, never changed, so that a copy costs
 * nothing.
 */
interface Filling {
  readonly synced: Offset
  readonly ran: Duration
  /** Id → running time of its mark. */
  readonly ids: ReadonlyMap<string, Duration>
}

type Fillings = ReadonlyMap<string, Filling>

/** What may be wrong with a dedupe, and the simulation must notice. */
export interface DedupeMistakes {
  /** Answers with whatever it has, complete or not. */
  readonly answersUnsynced?: boolean
  /** Forgets by this clock instead of running time. */
  readonly forgetsBy?: () => Instant
}

export type SimulatedDedupe = ReturnType<typeof simulatedDedupe>

/**
 * A shared cache that keeps its port's promises to the letter: it forgets an id at the first moment
 * that it may. It can be emptied, and put back to an earlier state.
 */
export function simulatedDedupe(window: Duration, mistakes: DedupeMistakes = {}) {
  let fillings: Fillings = new Map()
  return {
    check,
    mark,
    reset,
    known,
    reached: (of: Namespace): Offset | null => fillings.get(nameOf(of))?.synced ?? null,
    claim,
    copy: (): Fillings => fillings,
    restore: (copy: Fillings) => {
      fillings = copy
    },
    flush: () => {
      fillings = new Map()
    },
    size: () => [...fillings.values()].reduce((sum, { ids }) => sum + ids.size, 0),
  }

  function check(of: Namespace, start: Offset, ids: Fingerprints): CheckAnswer {
    const filling = fillings.get(nameOf(of))
    if (filling === undefined) return { kind: 'stale', synced: null }
    const { synced } = filling
    if (synced === start || mistakes.answersUnsynced === true)
      return { kind: 'answer', known: knownIn(filling, ids) }
    return { kind: 'stale', synced: synced < start ? synced : null }
  }

  function mark(of: Namespace, run: Run): boolean {
    const filling = fillings.get(nameOf(of))
    if (filling === undefined || filling.synced !== run.start) return false
    const ran = Math.max(run.ran, filling.ran)
    const ids = new Map(filling.ids)
    const marked = mistakes.forgetsBy?.() ?? ran
    for (const id of namesOf(run.ids)) ids.set(id, marked)
    put(of, { synced: run.end, ran, ids: remembered(ids, ran) })
    return true
  }

  /** Keeps what is younger than the window. */
  function remembered(ids: Map<string, Duration>, ran: Duration): Map<string, Duration> {
    const now = mistakes.forgetsBy?.() ?? ran
    for (const [id, marked] of ids) if (marked < now - window) ids.delete(id)
    return ids
  }

  function reset(of: Namespace, from: Offset): void {
    const others = [...fillings].filter(([name]) => !name.startsWith(`${of.partition} `))
    fillings = new Map(others)
    put(of, { synced: from, ran: 0, ids: new Map() })
  }

  function known(of: Namespace, ids: Fingerprints): Uint8Array {
    const filling = fillings.get(nameOf(of))
    return filling === undefined
      ? new Uint8Array(ids.length / fingerprintWords)
      : knownIn(filling, ids)
  }

  function knownIn(filling: Filling, ids: Fingerprints): Uint8Array {
    const clock = mistakes.forgetsBy?.() ?? null
    return Uint8Array.from(namesOf(ids), (id) => {
      const marked = filling.ids.get(id)
      return marked === undefined || (clock !== null && marked < clock - window) ? 0 : 1
    })
  }

  /** Adds ids without saying up to where they are complete, which nobody may do. */
  function claim(of: Namespace, ids: Fingerprints): void {
    const filling = fillings.get(nameOf(of))
    if (filling === undefined) return
    const more = new Map(filling.ids)
    for (const id of namesOf(ids)) more.set(id, filling.ran)
    put(of, { ...filling, ids: more })
  }

  function put(of: Namespace, filling: Filling): void {
    fillings = new Map(fillings).set(nameOf(of), filling)
  }
}

export interface Namespace {
  readonly partition: Partition
  readonly namespace: string
}

const nameOf = ({ partition, namespace }: Namespace): string => `${partition} ${namespace}`

export const namesOf = (ids: Fingerprints): readonly string[] =>
  Array.from({ length: ids.length / fingerprintWords }, (_, index) =>
    ids.subarray(index * fingerprintWords, (index + 1) * fingerprintWords).join('.'),
  )

/** The two ends of one process. The edge's end never fails: instead it knows nothing. */
export function dedupeOf(
  dedupe: SimulatedDedupe,
  call: Call,
  onKnown: (partition: Partition, ids: readonly string[]) => void,
): { readonly dedupe: Dedupe; readonly filter: DedupeFilter } {
  const close = () => Promise.resolve()
  return {
    dedupe: {
      check: (partition, namespace, start, ids) =>
        call(`dedupe.check ${partition} ${start}`, () =>
          dedupe.check({ partition, namespace }, start, ids),
        ),
      mark: (partition, namespace, run) =>
        call(`dedupe.mark ${partition} ${run.start}–${run.end}`, () =>
          dedupe.mark({ partition, namespace }, run),
        ),
      reset: (partition, namespace, from) =>
        call(`dedupe.reset ${partition} ${from}`, () =>
          dedupe.reset({ partition, namespace }, from),
        ),
      size: () => call('dedupe.size', dedupe.size),
      close,
    },
    filter: { known, reached, close },
  }

  function reached(of: readonly Namespace[]): Promise<readonly (Offset | null)[]> {
    return call('dedupe.reached', () => of.map(dedupe.reached)).catch(() => of.map(() => null))
  }

  function known(partition: Partition, namespace: string, ids: Fingerprints): Promise<Uint8Array> {
    return call(`dedupe.known ${partition}`, () => {
      const answer = dedupe.known({ partition, namespace }, ids)
      onKnown(
        partition,
        namesOf(ids).filter((_, index) => answer[index] === 1),
      )
      return answer
    }).catch(() => new Uint8Array(ids.length / fingerprintWords))
  }
}

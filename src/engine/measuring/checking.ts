import type { Dedupe, Fingerprints, Known } from '../../parts/dedupe/port.ts'
import type { MeasuringMetrics } from './metrics.ts'
import type { Held, Partitions } from './partitions.ts'

export interface CheckingNeeds {
  readonly dedupe: Pick<Dedupe, 'check'>
  readonly held: Pick<Partitions, 'heal' | 'forget'>
  readonly metrics: Pick<MeasuringMetrics, 'healing'>
}

/** The events of a partition that come next there. */
export interface NextEvents {
  readonly held: Held
  readonly prints: Fingerprints
}

const healsMax = 4

/** Says which events were measured before, and heals dedupe where it cannot say. */
export function checking({ dedupe, held: partitions, metrics }: CheckingNeeds) {
  return { knownOf }

  /**
   * Asks about all partitions at once, since a server may have to answer; heals one after the
   * other, since that is much work. Null: the partition was forgotten, and is not to be measured
   * here.
   */
  async function knownOf(asked: readonly NextEvents[]): Promise<readonly (Known | null)[]> {
    const answers = await Promise.all(asked.map(check))
    const known: (Known | null)[] = []
    for (const [index, one] of asked.entries()) {
      const answer = answers[index]
      known.push(answer?.kind === 'answer' ? answer.known : await healed(one))
    }
    return known
  }

  async function healed(one: NextEvents): Promise<Known | null> {
    for (let heals = 0; heals < healsMax; heals += 1) {
      const answer = await check(one)
      if (answer.kind === 'answer') return answer.known
      metrics.healing(true)
      const healing = partitions.heal(one.held, answer.synced)
      if (!(await healing.finally(() => metrics.healing(false)))) return null
    }
    // Something undoes the heal each time: who takes the partition next begins anew.
    partitions.forget(one.held)
    return null
  }

  function check({ held: { namespace, next, partition }, prints }: NextEvents) {
    return dedupe.check(partition, namespace, next, prints)
  }
}

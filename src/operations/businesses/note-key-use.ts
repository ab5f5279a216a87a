import type { FoundKey, Keys } from '../../parts/store/keys.ts'
import type { Clock } from '../../runtime/clock.ts'

export interface KeyUseNeeds {
  readonly keys: Pick<Keys, 'used'>
  readonly clock: Clock
}

/** Remembers which keys were in use, and writes it down once in a while. */
export interface KeyUse {
  saw(found: FoundKey | null): void
  /** What cannot be written now comes with the next time: it is no more than a hint for people. */
  write(): Promise<void>
}

export function openKeyUse({ keys, clock }: KeyUseNeeds): KeyUse {
  let seen = new Set<string>()
  return {
    saw: (found) => {
      if (found !== null && !found.revoked) seen.add(found.keyId)
    },
    async write() {
      if (seen.size === 0) return
      const used = seen
      seen = new Set()
      await keys.used([...used], clock.now()).catch(() => {
        for (const keyId of used) seen.add(keyId)
      })
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Life } from '../life.ts'
import type { Random } from '../random.ts'

/** What can happen to either side. */
export interface SidecarFault {
  readonly name: string
  readonly of: 'server' | 'sidecar'
  readonly kills: boolean
  strike(life: Life, random: Random): Promise<void>
}

const kinds: readonly Omit<SidecarFault, 'of'>[] = [
  {
    name: 'kill -9',
    kills: true,
    async strike(life, random) {
      await life.kill()
      await sleep(random.between(0, 2_000))
      await life.start()
    },
  },
  {
    name: 'kill -9 while it starts',
    kills: true,
    async strike(life, random) {
      await life.kill()
      life.launch()
      await sleep(random.between(50, 1_500))
      await life.kill()
      await life.start()
    },
  },
  {
    name: 'SIGTERM',
    kills: false,
    async strike(life) {
      await life.terminate()
      await life.start()
    },
  },
  {
    name: 'freeze',
    kills: false,
    strike: (life, random) => life.freeze(random.between(200, 6_000)),
  },
]

/** The sidecar stands twice: it is quickly back, and what it must keep is what this is about. */
export const sidecarFaults: readonly SidecarFault[] = (
  ['sidecar', 'sidecar', 'server'] as const
).flatMap((of) => kinds.map((kind) => ({ ...kind, of, name: `${kind.name} of the ${of}` })))

import type { Adjusted } from './adjusting.ts'
import { adjuster } from './adjusting.ts'
import type { AuditParts } from './differences.ts'
import type { LoadParts, Samples, Sent, Unanswered } from './load.ts'
import { sender, soloist } from './load.ts'
import type { Random } from './random.ts'

export interface Load extends Pick<AuditParts, 'unanswered' | 'samples' | 'adjusted'> {
  readonly sent: Sent
  /** Each client brings to its end what it has begun. */
  stop(): Promise<void>
}

/** All clients at once: `senders` of them send usage, one is alone, one adjusts balances. */
export function startLoad(parts: Omit<LoadParts, 'random'>, random: Random, senders: number): Load {
  const unanswered: Unanswered = []
  const samples: Samples = { accepted: [], refused: [] }
  const adjusted: Adjusted[] = []
  let stopping = false
  const seeded = (name: string): LoadParts => ({ ...parts, random: random.stream(name) })
  const clients = [
    ...Array.from({ length: senders }, (_, index) => {
      return sender(`s${index}`, seeded(`sender ${index}`), { unanswered, samples })
    }),
    soloist(seeded('solo')),
    adjuster(seeded('adjuster'), adjusted),
  ]
  const running = clients.map((client) =>
    client(() => stopping).catch((error: unknown) => parts.wrong(`a client gave up: ${error}`)),
  )
  return { unanswered, samples, adjusted, sent: parts.sent, stop }

  async function stop(): Promise<void> {
    stopping = true
    await Promise.all(running)
  }
}

export const nothingSent = (): Sent => ({
  events: 0,
  requests: 0,
  retried: 0,
  repeated: 0,
  invalid: 0,
  adjustments: 0,
  reads: 0,
})

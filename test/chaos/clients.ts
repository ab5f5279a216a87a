import type { Adjusted } from './adjusting.ts'
import { adjuster } from './adjusting.ts'
import type { LoadParts, Samples, Sent, Unanswered } from './load.ts'
import { sender, soloist } from './load.ts'
import type { Random } from './random.ts'

/** What clients remember for the audit. */
export interface Kept {
  readonly unanswered: Unanswered
  readonly samples: Samples
  readonly adjusted: Adjusted[]
}

export interface Load {
  /** Stops all clients; each finishes what it has begun. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly senders: number
  /** What the ids of this load begin with. */
  readonly name: string
}

/**
 * Starts all clients: `senders` of them send usage, one is alone with its customer, one adjusts
 * balances.
 */
export function startLoad(
  parts: Omit<LoadParts, 'random'> & { readonly kept: Kept },
  random: Random,
  { senders, name }: LoadOptions,
): Load {
  const { kept } = parts
  let stopping = false
  const seeded = (client: string): LoadParts => ({ ...parts, random: random.stream(client) })
  const clients = [
    ...Array.from({ length: senders }, (_, index) => {
      return sender(`${name}s${index}`, seeded(`sender ${index}`), kept)
    }),
    soloist(`${name}solo`, seeded('solo')),
    adjuster(`${name}adjustment`, seeded('adjuster'), kept.adjusted),
  ]
  const running = clients.map((client) =>
    client(() => stopping).catch((error: unknown) => parts.wrong(`a client gave up: ${error}`)),
  )
  return { stop }

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

export const nothingKept = (): Kept => ({
  unanswered: [],
  samples: { accepted: [], refused: [] },
  adjusted: [],
})

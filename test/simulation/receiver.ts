import type { Random } from '../chaos/random.ts'

/** What an endpoint has got: the bodies under each webhook id. */
export interface Received {
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>
}

/** An endpoint that fails now and then. */
export function openReceiver(random: Random) {
  const bodies = new Map<string, Set<string>>()
  let failing = 0
  return {
    bodies,
    failing: (share: number) => {
      failing = share
    },
    receive: ({ id, body }: { readonly id: string; readonly body: string }): number => {
      if (random.chance(failing)) return 503
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
      return 200
    },
  }
}

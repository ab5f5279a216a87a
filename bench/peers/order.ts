/** What a peer is told: plain data, since it runs in a process of its own. */
export interface PeerOrder {
  readonly brokers: readonly string[]
  readonly redisUrl: string
  readonly topic: string
  readonly apiKey: string
}

/** How long Redis keeps an id. */
export const seenSeconds = 86_400

/** The order that the parent has given, its only argument. */
export const peerOrder = (): PeerOrder => JSON.parse(process.argv[2] ?? '') as PeerOrder

/** What a peer is told. Plain data: it runs in a process of its own. */
export interface PeerOrder {
  readonly brokers: readonly string[]
  readonly redisUrl: string
  readonly topic: string
  readonly apiKey: string
}

/** Of an id in Redis. */
export const seenSeconds = 86_400

/** The order that the parent has given, its only argument. */
export const peerOrder = (): PeerOrder => JSON.parse(process.argv[2] ?? '') as PeerOrder

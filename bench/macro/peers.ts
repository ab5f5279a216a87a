import { randomBytes } from 'node:crypto'
import type { Parts } from '../harness/parts.ts'
import type { Peer, PeerName } from '../harness/peer.ts'
import { startPeer } from '../harness/peer.ts'
import type { Site } from '../harness/site.ts'
import type { Target } from './turns.ts'

/** The services to compare with, on the same Kafka and the same Redis as our own server. */
export interface Peers {
  readonly targets: readonly Target[]
  stop(): void
}

/** Each has a Redis database and a topic of its own. */
export async function startPeers(parts: Parts, { workload }: Site): Promise<Peers> {
  const apiKey = `key_${randomBytes(16).toString('hex')}`
  const names: readonly PeerName[] = ['usual', 'tuned']
  const peers: Peer[] = []
  for (const [index, name] of names.entries()) {
    await parts.createTopic(`${name}.events`)
    const redisUrl = `${parts.redisUrl}/${index + 1}`
    const order = { brokers: parts.brokers, redisUrl, topic: `${name}.events`, apiKey }
    peers.push(await startPeer(name, order))
  }
  return {
    targets: peers.map(({ name, pid, url }) => ({ name, pid, url, apiKey, workload })),
    stop() {
      for (const peer of peers) peer.stop()
    },
  }
}

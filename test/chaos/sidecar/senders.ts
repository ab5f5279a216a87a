import { setTimeout as sleep } from 'node:timers/promises'
import type { Sent } from '../load.ts'

export interface SenderParts {
  readonly url: string
  readonly customerId: string
  readonly sent: Sent
}

export interface Senders {
  /** Each finishes what it has begun. Answers the ids of all that was answered with 200. */
  stop(): Promise<ReadonlySet<string>>
}

/** Clients that send requests one after the other, each until it is answered with 200. */
export function startSenders(
  { url, customerId, sent }: SenderParts,
  { senders }: { readonly senders: number },
): Senders {
  const answered = new Set<string>()
  let stopping = false
  const running = Array.from({ length: senders }, (_, index) => send(index))
  return {
    async stop() {
      stopping = true
      await Promise.all(running)
      return answered
    },
  }

  async function send(client: number): Promise<void> {
    for (let serial = 0; !stopping; serial += 1) {
      const ids = Array.from({ length: 1 + (serial % 7) }, (_, at) => `${client}-${serial}-${at}`)
      const events = ids.map((id) => ({
        event_id: id,
        customer_id: customerId,
        event_name: 'sidecar.call',
      }))
      await until200(JSON.stringify({ events }))
      for (const id of ids) answered.add(id)
      sent.requests += 1
      sent.events += ids.length
      // Some once more, after the answer: they are known, in the spool or at the gateway.
      if (serial % 5 === 0) {
        await until200(JSON.stringify({ events }))
        sent.repeated += 1
      }
      await sleep(10)
    }
  }

  async function until200(body: string): Promise<void> {
    for (;;) {
      const answer = await fetch(`${url}/events/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(8_000),
      }).catch(() => null)
      await answer?.arrayBuffer().catch(() => null)
      if (answer?.status === 200) return
      sent.retried += 1
      await sleep(100)
    }
  }
}

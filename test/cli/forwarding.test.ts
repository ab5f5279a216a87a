import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { forward } from '../../src/cli/forwarding.ts'
import { systemClock } from '../../src/runtime/clock.ts'

/** Ports that `fetch` never connects to. */
const avoided = [10080, 6000, 6566, 5061, 4190]

it('posts to whichever port somebody listens on', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.end('thank you')
  })
  const port = await listening(server)
  const ending = new AbortController()
  const away: string[] = []
  const needs = {
    url: `HTTP://127.0.0.1:${port}/hooks`,
    secret: new Uint8Array(32),
    clock: systemClock(),
    signal: ending.signal,
    away(reason: string) {
      away.push(reason)
      ending.abort()
    },
  }
  const forwarded = await forward(needs, { id: 'msg_1', body: '{"type":"é"}' })
  server.close()
  expect({ forwarded, away, bodies }).toMatchObject({
    forwarded: { status: 200, attempts: 1, error: null },
    away: [],
    bodies: ['{"type":"é"}'],
  })
})

/** The first of them that is free. */
async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  for (const port of avoided) {
    server.listen(port, '127.0.0.1')
    const taken = await once(server, 'listening').then(
      () => false,
      () => true,
    )
    if (!taken) return port
  }
  throw new Error(`None of the ports ${avoided.join(', ')} is free.`)
}

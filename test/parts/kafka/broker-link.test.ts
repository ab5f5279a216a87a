import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { BrokerLink } from '../../../src/parts/kafka/connection/broker-link.ts'
import { createBrokerLink } from '../../../src/parts/kafka/connection/broker-link.ts'
import { KafkaAway } from '../../../src/parts/kafka/errors.ts'
import type { WireRequest } from '../../../src/parts/kafka/protocol/request.ts'
import { WireWriter } from '../../../src/parts/kafka/protocol/wire.ts'
import type { KafkaSettings } from '../../../src/parts/kafka/settings.ts'

/** What a broker was asked: the request's key, and how to answer it. */
interface Asked {
  readonly key: number
  readonly body: Buffer
  readonly connection: number
  answer(write: (writer: WireWriter) => void): void
  hangUp(): void
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A broker that answers by `react`, which is given every request in turn. */
async function brokerThat(
  react: (asked: Asked) => void,
  sasl: KafkaSettings['sasl'] = null,
): Promise<BrokerLink> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    connections += 1
    const connection = connections
    let held = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 4 && held.length >= 4 + held.readInt32BE(0)) {
        const end = 4 + held.readInt32BE(0)
        react(askedBy(socket, held.subarray(4, end), connection))
        held = held.subarray(end)
      }
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const kafka = { brokers: [], clientId: 'test', tls: null, sasl, replication: 1 }
  const link = createBrokerLink({ host: '127.0.0.1', port, kafka })
  ends.push(() => {
    link.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return link
}

function askedBy(socket: Socket, request: Buffer, connection: number): Asked {
  const correlation = request.readInt32BE(4)
  const body = request.subarray(10 + request.readInt16BE(8))
  return {
    key: request.readInt16BE(0),
    body,
    connection,
    answer(write) {
      const writer = new WireWriter().int32(0).int32(correlation)
      write(writer)
      writer.patch32(0, writer.length - 4)
      socket.write(Buffer.from(writer.bytes))
    },
    hangUp: () => socket.destroy(),
  }
}

/** Sends a number, and answers with the number that comes back. */
const echo = (value: number): WireRequest<number> => ({
  name: 'Echo',
  key: 4711,
  version: 0,
  encode: (writer) => void writer.int32(value),
  decode: (reader) => reader.int32(),
})

const echoed = ({ answer, body }: Asked) => answer((writer) => writer.int32(body.readInt32BE(0)))

it('gives each of many requests at once its own answer, in whatever order they come', async () => {
  const waiting: Asked[] = []
  const link = await brokerThat((asked) => {
    waiting.push(asked)
    if (waiting.length === 10) for (const one of waiting.reverse()) echoed(one)
  })
  const asked = Array.from({ length: 10 }, (_, index) => link.request(echo(index), 2_000))
  expect(await Promise.all(asked)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

it('gives an answer that came too late to nobody, and goes on with another connection', async () => {
  const late: Asked[] = []
  const link = await brokerThat((asked) => {
    if (asked.connection === 1) late.push(asked)
    else echoed(asked)
  })
  const [first, second] = [link.request(echo(1), 100), link.request(echo(2), 10_000)]
  await expect(first).rejects.toThrow(KafkaAway)
  // What follows on the connection could be the answer to something else.
  await expect(second).rejects.toThrow(KafkaAway)
  expect(link.connected()).toBe(false)
  for (const one of late) echoed(one)
  expect(await link.request(echo(3), 2_000)).toBe(3)
})

it('tells everybody who waits that the broker has hung up', async () => {
  const link = await brokerThat((asked) => asked.hangUp())
  const asked = [link.request(echo(1), 10_000), link.request(echo(2), 10_000)]
  for (const one of asked) await expect(one).rejects.toThrow(/Closed connection|ECONNRESET/)
})

it('says who it is before anything else, and once more before the login ends', async () => {
  const sasl = { mechanism: 'plain', username: 'user', password: 'secret' } as const
  const keys: number[] = []
  const link = await brokerThat((asked) => {
    keys.push(asked.key)
    if (asked.key === 17) asked.answer((writer) => writer.int16(0).int32(0))
    else if (asked.key === 36) {
      const size = asked.body.readInt32BE(0)
      expect(asked.body.subarray(4, 4 + size).toString()).toBe('\0user\0secret')
      asked.answer((writer) => writer.int16(0).text(null).blob(Buffer.alloc(0)).int64(sessionMs))
    } else echoed(asked)
  }, sasl)
  expect(await Promise.all([1, 2].map((n) => link.request(echo(n), 2_000)))).toEqual([1, 2])
  expect(keys).toEqual([17, 36, 4711, 4711])
  await sleep(sessionMs)
  expect(await Promise.all([3, 4].map((n) => link.request(echo(n), 2_000)))).toEqual([3, 4])
  expect(keys.slice(4)).toEqual([17, 36, 4711, 4711])
})

const sessionMs = 1_000

it('says why the broker does not let it in', async () => {
  const sasl = { mechanism: 'plain', username: 'user', password: 'wrong' } as const
  const link = await brokerThat((asked) => {
    if (asked.key === 17) asked.answer((writer) => writer.int16(0).int32(0))
    else asked.answer((writer) => writer.int16(58).text('No such user').blob(null).int64(0))
  }, sasl)
  const asked = link.request(echo(1), 2_000)
  await expect(asked).rejects.toThrow(/PLAIN authentication failed: No such user/)
  expect(link.connected()).toBe(false)
})

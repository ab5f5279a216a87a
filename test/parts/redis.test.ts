import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openRedis } from '../../src/parts/redis.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { until } from '../support/servers/until.ts'

// No real sentinel can be made to tell of a failover in just that moment, so these two speak for
// one and for its master.
const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = []

afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
})

it('comes back where a failover is told while it asks a sentinel for the master', async () => {
  const master = await redisLike(() => '+OK\r\n')
  const subscribers: Socket[] = []
  let asked: (() => void) | null = null
  let isSlow = false
  const sentinel = await redisLike((words, socket) => {
    if (words[0] === 'subscribe') {
      subscribers.push(socket)
      return `>3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`
    }
    if (words[1] === 'sentinels') return '*0\r\n'
    if (words[1] !== 'get-master-addr-by-name') return '+OK\r\n'
    const address = `*2\r\n${bulk('127.0.0.1')}${bulk(String(master.port))}`
    if (!isSlow) return address
    asked = () => void socket.write(address)
    return ''
  })
  const connection = openRedis({
    settings: {
      kind: 'sentinel',
      sentinels: [{ host: '127.0.0.1', port: sentinel.port }],
      name: 'sluice',
      username: null,
      password: null,
      db: 0,
      tls: null,
    },
    logger: openLogger({ level: 'silent', part: 'test' }),
    name: 'test',
  })
  await until('a connection that hears of failovers', async () => {
    return connection.ready() && subscribers.length > 0
  })
  isSlow = true
  for (const socket of master.sockets) socket.destroy()
  await until('the question for the master', async () => asked !== null)
  const switched = 'sluice 127.0.0.1 1 127.0.0.1 2'
  for (const socket of subscribers) {
    socket.write(`>3\r\n${bulk('message')}${bulk('+switch-master')}${bulk(switched)}`)
  }
  await new Promise((done) => setTimeout(done, 50))
  isSlow = false
  ;(asked as (() => void) | null)?.()
  await until('a connection again', async () => connection.ready())
  expect(connection.epoch()).toBe(2)
  connection.close()
  await new Promise((done) => setTimeout(done, 200))
  expect(connection.ready()).toBe(false)
})

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** Speaks as much of Redis's protocol as a connection needs to begin. */
async function redisLike(answer: (words: readonly string[], socket: Socket) => string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/(?=\*\d+\r\n\$)/)) {
        const words = command.split('\r\n').filter((_, index) => index > 0 && index % 2 === 0)
        const [name = ''] = words.map((word) => word.toLowerCase())
        if (name === 'info') socket.write(bulk('role:master\r\nloading:0'))
        else socket.write(answer([name, ...words.slice(1)], socket))
      }
    })
  })
  servers.push({ server, sockets })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, sockets }
}

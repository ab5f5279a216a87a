import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import DodoPayments from 'dodopayments'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { talk } from '../support/edge/talk.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { freePorts } from '../support/servers/ports.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const [port = 0, livePort = 0, opsPort = 0, proxyPort = 0] = await freePorts(4)
const at = world({ PORT: `${port}`, LIVE_PORT: `${livePort}`, OPS_PORT: `${opsPort}` })
const folder = new URL('../../deploy/proxies/', import.meta.url)

interface Proxy {
  readonly name: 'nginx' | 'haproxy'
  readonly config: string
  /** What a caller of HTTP/1.0 is answered. */
  readonly ancient: string
  words(config: string): readonly string[]
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    config: 'nginx.conf',
    ancient: ' 200 ',
    words: (config) => ['-c', config, '-e', 'stderr', '-g', 'daemon off;'],
  },
  {
    name: 'haproxy',
    config: 'haproxy.cfg',
    ancient: ' 505 ',
    words: (config) => ['-db', '-f', config],
  },
]

const missing = (name: string): string | null =>
  spawnSync(name, ['-v']).error === undefined ? null : `${name}, a package of Debian`

describe.each(proxies)('behind $name', ({ name, config, ancient, words }) => {
  describeWith(missing(name), 'as the runbook has it', () => {
    const scratch = scratchDirectory()
    let stop: () => void = () => undefined

    beforeAll(async () => {
      const text = readFileSync(new URL(config, folder), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replace('port 9464', `port ${opsPort}`)
        .replace('listen 80;', `listen 127.0.0.1:${proxyPort};`)
        .replace('bind :80', `bind 127.0.0.1:${proxyPort}`)
        .replace('/run/nginx.pid', join(scratch.path, 'nginx.pid'))
      const path = join(scratch.path, config)
      writeFileSync(path, text)
      const child = spawn(name, words(path), { stdio: 'ignore' })
      stop = () => void child.kill('SIGTERM')
      await vi.waitFor(() => client().customers.list(), { timeout: 30_000 })
    })
    afterAll(() => {
      stop()
      scratch.remove()
    })

    const client = () =>
      new DodoPayments({
        bearerToken: at.keys.write,
        baseURL: `http://127.0.0.1:${proxyPort}`,
        maxRetries: 0,
      })

    it('serves the public client, and counts once what is sent again after each kill', async () => {
      const one = await subscriber({ client }, { mapping: { credits_amount: '1000000' } })
      const customer_id = one.customerId
      const event_name = one.eventNames[0] ?? ''
      let sent = 0
      let over = false
      const send = async () => {
        while (!over) {
          const events = [1, 2, 3].map(() => ({ event_id: fresh('p'), customer_id, event_name }))
          const once = () =>
            client()
              .usageEvents.ingest({ events })
              .then(
                () => true,
                () => false,
              )
          while (!(await once())) await sleep(50)
          sent += events.length
        }
      }
      const senders = Promise.all([send(), send(), send(), send()])
      for (let kill = 0; kill < 2; kill += 1) {
        const before = sent
        await expect.poll(() => sent).toBeGreaterThan(before + 30)
        await at.restart('SIGKILL')
      }
      over = true
      await senders
      await expect
        .poll(async () => (await one.balance()).balance, { timeout: 60_000 })
        .toBe(String(1_000_000 - sent))
    })

    it('lets no header without a name through, behind which an engine sees nothing', async () => {
      const hider = talk(proxyPort)
      hider.send('GET /customers HTTP/1.1\r\nHost: a\r\n: x\r\nContent-Length: 5\r\n\r\nhello')
      expect((await hider.answer()).status).toBe(400)
      hider.destroy()
    })

    it('answers callers who speak HTTP/1.0, or in chunks, at once', async () => {
      const old = talk(proxyPort)
      old.send(`GET /customers HTTP/1.0\r\nAuthorization: Bearer ${at.keys.write}\r\n\r\n`)
      expect((await old.closed()).split('\r\n')[0]).toContain(ancient)
      const chunked = new ReadableStream({
        start(controller) {
          for (const text of ['{"name":"Chu",', '"email":"c@example.com"}']) {
            controller.enqueue(new TextEncoder().encode(text))
          }
          controller.close()
        },
      })
      const init: RequestInit = {
        method: 'POST',
        headers: { Authorization: `Bearer ${at.keys.write}`, 'Content-Type': 'application/json' },
        body: chunked,
        duplex: 'half',
      }
      const answer = await fetch(`http://127.0.0.1:${proxyPort}/customers`, init)
      expect(answer.status).toBe(200)
    })
  })
})

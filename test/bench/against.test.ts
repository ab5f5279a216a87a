import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { benchAgainst } from '../../bench/against/against.ts'
import { againstOf } from '../../bench/against/options.ts'

interface Seen {
  readonly events: readonly { readonly event_id: string; readonly timestamp: string }[]
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Stands in for a server: answers ingests with `ingest`, and remembers what it was sent. */
async function stand(ingest: (response: ServerResponse, nth: number) => void) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/customers') === true) {
      response.end('{"items":[{"customer_id":"cus_1"},{"customer_id":"cus_2"}]}')
      return
    }
    seen.push(JSON.parse(await textOf(request)))
    ingest(response, seen.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const words = (url: string, ...more: string[]) => [url, '--key', 'slc_test_rw_1', ...more]

describe('npm run bench -- against', () => {
  it('sends what was asked for, each event once', async () => {
    const { seen, url } = await stand((response) => response.end('{"ingested_count":5}'))
    const asked = words(url, '--rate', '1000', '--seconds', '0.5', '--batch', '5')
    const { isUp, result } = await benchAgainst(againstOf(asked))
    expect(isUp).toBe(true)
    const ids = seen.flatMap(({ events }) => events.map(({ event_id: id }) => id))
    expect([ids.length, new Set(ids).size]).toEqual([500, 500])
    const [, requests] = result.lines
    expect(requests?.figures.map(({ name, value }) => [name, value])).toEqual([
      ['sent', 100],
      ['200', 100],
    ])
  })

  it('counts from when a request was due: a stall is not hidden by what it keeps back', async () => {
    const stallMs = 400
    const { url } = await stand((response, nth) => {
      setTimeout(() => response.end('{}'), nth === 1 ? stallMs : 0)
    })
    const one = ['--rate', '100', '--seconds', '0.2', '--batch', '1', '--connections', '1']
    const { result } = await benchAgainst(againstOf(words(url, ...one)))
    const [due, sent] = result.lines.slice(2).map(({ figures }) => figures)
    // Nineteen of twenty were due while the first one stalled, and had to wait.
    expect(due?.[0]?.value).toBeGreaterThan(stallMs / 4)
    expect(due?.at(-1)?.value).toBeGreaterThan(stallMs * 0.9)
    expect(sent?.[0]?.value).toBeLessThan(due?.[0]?.value ?? 0)
  })

  it('counts refusals, and repeats none', async () => {
    const { seen, url } = await stand((response, nth) => {
      response.statusCode = nth % 2 === 0 ? 503 : 200
      response.end('{}')
    })
    const asked = words(url, '--rate', '100', '--seconds', '0.1', '--batch', '1')
    const { result } = await benchAgainst(againstOf(asked))
    expect(seen.length).toBe(10)
    expect(result.lines[1]?.figures.map(({ name, value }) => [name, value])).toEqual([
      ['sent', 10],
      ['200', 5],
      ['503', 5],
    ])
  })

  it('says where nobody answers', async () => {
    const { url } = await stand((response) => response.end())
    stops.pop()?.()
    const asked = againstOf(words(url, '--rate', '10'))
    await expect(benchAgainst(asked)).rejects.toThrow(`${url} does not answer (ECONNREFUSED)`)
  })

  it('says what it needs', () => {
    for (const wrong of [[], ['http://a'], words('ftp://a', '--rate', '1'), words('http://a')])
      expect(() => againstOf(wrong)).toThrow('Usage: npm run bench -- against URL')
    expect(() => againstOf(words('http://a', '--rate', 'fast'))).toThrow('--rate takes a number')
  })
})

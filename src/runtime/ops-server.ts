import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Checks } from './checks.ts'
import { isReady } from './checks.ts'
import { portRefusal } from './ports.ts'

/** An HTTP server for operators and their tools; never public. */
export interface OpsServer {
  readonly port: number
  close(): Promise<void>
}

export interface OpsNeeds {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly checks: Checks
  /** The metrics of all threads in the text format. */
  readonly metrics: () => Promise<string>
}

/**
 * Serves `/metrics`, `/healthz` (alive as soon as it answers) and `/readyz` (200 or 503).
 *
 * @throws Refusal naming OPS_PORT when it cannot listen on the port.
 */
export async function openOpsServer(needs: OpsNeeds): Promise<OpsServer> {
  const { host, port } = needs
  const server = createServer((request, response) => {
    answer(needs, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done, failed) => {
    server.once('error', (error) => failed(portRefusal({ name: 'OPS_PORT', host, port }, error)))
    server.listen({ host, port, exclusive: true }, done)
  })
  return { port: (server.address() as AddressInfo).port, close }

  function close(): Promise<void> {
    return new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  }
}

async function answer(
  { checks, metrics }: OpsNeeds,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return json(response, 405, { code: 'METHOD_NOT_ALLOWED', message: 'Only GET is served here.' })
  }
  switch (request.url?.split('?')[0]) {
    case '/metrics':
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(await metrics())
      return
    case '/healthz':
      return json(response, 200, { alive: true })
    case '/readyz': {
      const results = await checks.run()
      const ready = isReady(results)
      if (!ready) response.setHeader('retry-after', '1')
      return json(response, ready ? 200 : 503, { ready, checks: results })
    }
    default:
      return json(response, 404, {
        code: 'NOT_FOUND',
        message: 'There are /metrics, /healthz and /readyz here.',
      })
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'node:net'
import { heapBytesMax } from '../../runtime/heap.ts'
import type { Uws, UwsApp, UwsRequest, UwsResponse } from './uws-surface.ts'

/** How much memory a connection is assumed to cost. */
const connectionBytes = 32 * 1024

/** How long uWS, too, keeps idle connections. */
const idleMs = 10_000

const malformed = [
  'HTTP/1.1 400 Bad Request',
  'Connection: close',
  'Content-Type: application/json',
  'x-should-retry: false',
  '',
  '{"code":"INVALID_REQUEST_PARAMETERS","message":"The request is not valid HTTP/1.1."}',
].join('\r\n')

/** The surface of uWS that we use, over node:http. Stricter on framing, several times slower. */
export function plainUws(): Uws {
  return { App: app, us_listen_socket_close: close, us_socket_local_port: portOf }
}

function app(): UwsApp {
  let handle: (res: UwsResponse, req: UwsRequest) => void = () => undefined
  const server = createServer(
    { keepAliveTimeout: idleMs, headersTimeout: idleMs, requestTimeout: 0 },
    (req, res) => {
      if (!finished.has(req.socket)) handle(response(req, res), request(req))
    },
  )
  // For node:http each connection is several objects, before it has asked for anything.
  server.maxConnections = Math.floor(heapBytesMax / connectionBytes)
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(malformed)
    else socket.destroy()
  })
  // Without a listener node:http hangs up.
  server.on('connect', (_request, socket) => socket.end(malformed))
  return {
    any(_pattern, handler) {
      handle = handler
    },
    listen(host, port, _options, done) {
      server.once('error', () => done(false))
      server.listen({ host, port, exclusive: true }, () => done(server))
    },
    listen_unix(done, path) {
      rmSync(path, { force: true })
      server.once('error', () => done(false))
      server.listen({ path }, () => done(server))
    },
    close: () => server.closeAllConnections(),
  }
}

/** Connections whose last request was seen. Whatever node:http still reads from them is ignored. */
const finished = new WeakSet<object>()

function close(socket: object): void {
  if (socket instanceof Server) socket.close()
}

function portOf(socket: object): number {
  if (!(socket instanceof Server)) return -1
  const address: AddressInfo | string | null = socket.address()
  return typeof address === 'object' && address !== null ? address.port : -1
}

function request(req: IncomingMessage): UwsRequest {
  const target = req.url ?? '/'
  const mark = target.indexOf('?')
  return {
    getUrl: () => (mark < 0 ? target : target.slice(0, mark)),
    getQuery: () => (mark < 0 ? '' : target.slice(mark + 1)),
    getMethod: () => (req.method ?? 'GET').toLowerCase(),
    forEach(each) {
      const { rawHeaders } = req
      for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
        each((rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '')
      }
    },
  }
}

function response(req: IncomingMessage, res: ServerResponse): UwsResponse {
  // 'close' tells of a broken connection; without a listener its error would end the process.
  res.on('error', () => undefined)
  req.on('error', () => undefined)
  const last = (): void => void finished.add(req.socket)
  let written = 0
  return {
    writeStatus: (status) => {
      res.statusCode = Number(status.slice(0, 3))
    },
    writeHeader(name, value) {
      const [own = '', ...further] = value.split('\r\n')
      res.setHeader(name, own)
      for (const line of further) {
        const end = line.indexOf(': ')
        res.setHeader(line.slice(0, end), line.slice(end + 2))
      }
    },
    end(body, closeConnection) {
      if (closeConnection === true) res.setHeader('Connection', 'close')
      res.end(body)
    },
    write: (chunk) => res.write(chunk),
    tryEnd(chunk, totalSize) {
      const length = Buffer.byteLength(chunk)
      if (written === 0 && length < totalSize) res.setHeader('Content-Length', totalSize)
      written += length
      // node:http stops reading from a connection whose answers wait to be read.
      if (written < totalSize) return [res.write(chunk), false]
      res.end(chunk)
      return [true, true]
    },
    onWritable: (handler) => res.on('drain', () => handler(written)),
    endWithoutBody: () => res.end(),
    cork: (write) => write(),
    onAborted(handler) {
      res.on('close', () => {
        if (!res.writableFinished) handler()
      })
    },
    onData(handler) {
      req.on('data', (chunk: Buffer) => handler(copy(chunk), false))
      req.on('end', () => handler(new ArrayBuffer(0), true))
    },
    close: () => req.destroy(),
    pause: last,
    holdBody: () => req.pause(),
    goOnBody: () => req.resume(),
    last,
    getRemoteAddressAsText: () => copy(Buffer.from(req.socket.remoteAddress ?? '')),
  }
}

const copy = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint that takes every webhook. */
export interface Sink {
  readonly url: string
  readonly taken: () => number
  close(): Promise<void>
}

export async function openSink(): Promise<Sink> {
  let taken = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken += 1
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, taken: () => taken, close }

  function close(): Promise<void> {
    server.closeAllConnections()
    return new Promise((done) => server.close(() => done()))
  }
}

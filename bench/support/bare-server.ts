import { loadHttpEngine } from '../../src/edge/http/uws.ts'

// "Bare": the HTTP engine alone. It reads a request to its end and answers it, with as few headers
// as there can be, and does nothing else: no key, no schema, no log. No service on this engine can
// cost less. [bench/README.md#whom-it-is-compared-with]
const { uws } = loadHttpEngine()
const receipt = '{"ingested_count":1}'
const app = uws.App()
app.any('/*', (response) => {
  response.onAborted(() => undefined)
  response.onData((_, isLast) => {
    if (isLast) response.cork(() => answer(response))
  })
})
app.listen('127.0.0.1', 0, 0, (socket) => {
  if (socket === false) throw new Error('The bare server cannot listen on 127.0.0.1.')
  const url = `http://127.0.0.1:${uws.us_socket_local_port(socket)}`
  process.send?.({ url })
})
// Its parent is gone.
process.on('disconnect', () => process.exit(0))

function answer(response: Parameters<Parameters<typeof app.any>[1]>[0]): void {
  response.writeHeader('Content-Type', 'application/json')
  response.end(receipt)
}

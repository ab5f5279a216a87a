import { connect } from 'node:net'

/** An answer as far as a load generator cares. */
export type Answered = (status: number) => void

/** One kept-alive connection with one request on its way at a time. */
export interface Connection {
  /** Sends a whole request, head and body. The bytes are not touched until the answer is there. */
  send(request: Buffer, answered: Answered): void
  close(): void
}

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  /** Called once when the connection breaks, with the reason. */
  readonly broken: (error: Error) => void
}

/**
 * A raw socket that knows just enough of HTTP: a load generator must cost less than what it loads,
 * and the usual clients cost more.
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const socket = connect({ host: options.host, port: options.port, noDelay: true })
  await new Promise<void>((done, failed) => {
    socket.once('connect', done)
    socket.once('error', failed)
  })
  let text = ''
  let waiting: Answered | null = null
  let closed = false
  socket.setEncoding('latin1')
  socket.on('data', receive)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed a connection.')))
  return { send, close }

  function send(request: Buffer, answered: Answered): void {
    waiting = answered
    socket.write(request)
  }

  function receive(chunk: string): void {
    text = text === '' ? chunk : text + chunk
    const bodyAt = text.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < bodyAt + length) return
    const status = Number(text.slice(9, 12))
    text = ''
    const answered = waiting
    waiting = null
    answered?.(status)
  }

  function fail(error: Error): void {
    if (closed) return
    closed = true
    options.broken(error)
  }

  function close(): void {
    closed = true
    socket.destroy()
  }
}

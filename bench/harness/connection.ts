import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** What a load generator needs to know of an answer. */
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
  /**
   * Called when the connection breaks before an answer is there, with the reason and the callback
   * that waits.
   */
  readonly broken: (error: Error, waiting: Answered) => void
}

/**
 * A raw socket that knows just enough of HTTP: a load generator must cost less than what it loads,
 * and the usual clients cost more. It connects at the first request, and again when the server has
 * closed the connection after an answer.
 */
export function openConnection(options: ConnectionOptions): Connection {
  let text = ''
  let waiting: Answered | null = null
  let socket: Socket | null = null
  return { send, close }

  function send(request: Buffer, answered: Answered): void {
    waiting = answered
    socket ??= open()
    socket.write(request)
  }

  function open(): Socket {
    const opened = connect({ host: options.host, port: options.port, noDelay: true })
    opened.setEncoding('latin1')
    opened.on('data', receive)
    opened.on('error', fail)
    opened.on('close', () => {
      if (socket === opened) socket = null
      fail(new Error('The server closed a connection without an answer.'))
    })
    return opened
  }

  function receive(chunk: string): void {
    text = text === '' ? chunk : text + chunk
    const bodyAt = text.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < bodyAt + length) return
    const status = Number(text.slice(9, 12))
    if (/\r\nconnection: close\r\n/i.test(text.slice(0, bodyAt))) close()
    text = ''
    const answered = waiting
    waiting = null
    answered?.(status)
  }

  function fail(error: Error): void {
    if (waiting === null) return
    const answered = waiting
    waiting = null
    text = ''
    options.broken(error, answered)
  }

  function close(): void {
    socket?.destroy()
    socket = null
  }
}

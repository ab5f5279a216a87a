import { connect } from 'node:net'

/** One answer as it came over the wire. */
export interface Answer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  json(): Record<string, unknown>
}

/** A bare TCP connection to a server of ours: for what no HTTP client would send. */
export interface Talk {
  send(bytes: string | Uint8Array): void
  /** The next answer. Rejects when the connection ends before the answer is whole. */
  answer(options?: { readonly headOnly?: boolean }): Promise<Answer>
  /** Resolves when the server has hung up, with the bytes that were not read as an answer. */
  closed(): Promise<string>
  destroy(): void
}

export function talk(port: number): Talk {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setNoDelay(true)
  let received = ''
  let over = false
  let wake: () => void = () => undefined
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    over = true
    wake()
  })
  return {
    send: (bytes) => void socket.write(bytes),
    answer,
    closed,
    destroy: () => void socket.destroy(),
  }

  async function answer({ headOnly = false } = {}): Promise<Answer> {
    for (;;) {
      const parsed = parse(received, headOnly)
      if (parsed !== null) {
        received = received.slice(parsed.length)
        if (parsed.answer.status !== 100) return parsed.answer
      } else if (over) throw new Error(`The server hung up: ${JSON.stringify(received)}`)
      else await more()
    }
  }

  async function closed(): Promise<string> {
    while (!over) await more()
    return received
  }

  function more(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
    })
  }
}

function parse(text: string, headOnly: boolean): { answer: Answer; length: number } | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const size = headOnly ? 0 : Number(headers.get('content-length') ?? 0)
  const length = end + 4 + size
  if (text.length < length) return null
  const body = Buffer.from(text.slice(end + 4, length), 'latin1').toString('utf8')
  const status = Number(first.split(' ')[1])
  return { answer: { status, headers, body, json: () => JSON.parse(body) }, length }
}

/**
 * A request as text. `headers` replaces those that it would have; an empty value leaves one out.
 */
export function requestText(
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): string {
  const all: Record<string, string> = {
    Host: 'localhost',
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

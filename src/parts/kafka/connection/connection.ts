import type { Socket } from 'node:net'
import { KafkaAway } from '../errors.ts'
import { createFrames } from '../protocol/frames.ts'
import type { WireRequest } from '../protocol/request.ts'
import { headBytes, readAnswer, writeRequest } from '../protocol/request.ts'
import { WireWriter } from '../protocol/wire.ts'
import type { KafkaSettings } from '../settings.ts'
import { openSocket } from './socket.ts'

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly kafka: Pick<KafkaSettings, 'clientId' | 'tls'>
  /** How long opening the socket may take, TLS included. */
  readonly withinMs: number
}

/**
 * One connection to one broker. Once it has ended, for whatever reason, it cannot be used again.
 */
export interface Connection {
  isOpen(): boolean
  /**
   * Throws KafkaAway when the connection ended, or when no answer came within `timeoutMs`; what the
   * broker did is then unknown. A late answer ends the connection, since whatever follows on it
   * could be the answer to something else.
   */
  request<Answer>(request: WireRequest<Answer>, timeoutMs: number): Promise<Answer>
  /** Every request under way rejects with `reason`. */
  close(reason: Error): void
}

/** A request whose answer is waited for. */
interface Awaited {
  readonly correlation: number
  readonly timer: NodeJS.Timeout
  resolve(payload: Buffer): void
  reject(error: Error): void
}

/** Throws the reason where the connection cannot be opened. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { host, port, kafka, withinMs } = options
  let connected: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    connected = resolve
  })
  const socket = openSocket({ host, port, tls: kafka.tls, onConnect: () => connected() })
  const { connection, ended } = speakOver(socket, kafka.clientId)
  const timer = setTimeout(() => connection.close(new Error('Connection timeout')), withinMs)
  try {
    await Promise.race([ready, ended])
    return connection
  } finally {
    clearTimeout(timer)
  }
}

/** `ended` never resolves; it rejects with the reason when the connection ends. */
function speakOver(socket: Socket, clientId: string) {
  // A list, since there are few. A `Map` would keep answers, of megabytes, alive: std/roster.ts.
  const awaited: Awaited[] = []
  const frames = createFrames()
  let correlation = 0
  let spare: WireWriter | null = null
  let endedBy: Error | null = null
  let tellEnded: (reason: Error) => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    tellEnded = reject
  })
  // Keeps the rejection from counting as unhandled when nobody waits for it any more.
  ended.catch(() => undefined)
  socket.on('data', received)
  socket.on('error', (error) => end(new Error(`Connection error: ${error.message}`)))
  socket.on('end', () => end(new Error('Closed connection')))
  socket.on('close', () => end(new Error('Closed connection')))
  const connection: Connection = { isOpen: () => endedBy === null, request, close: end }
  return { connection, ended }

  async function request<Answer>(one: WireRequest<Answer>, timeoutMs: number): Promise<Answer> {
    if (endedBy !== null) throw endedBy
    // The writer is used again, since fresh memory would cost as much as filling it. Until a
    // request is answered the socket may still hold its bytes.
    const writer = (spare ?? new WireWriter((one.bytes ?? headBytes) + headBytes)).clear()
    spare = null
    const mine = nextCorrelation()
    writeRequest(writer, one, { correlation: mine, clientId })
    const payload = await new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(late, timeoutMs, mine, timeoutMs)
      awaited.push({ correlation: mine, timer, resolve, reject })
      socket.write(writer.bytes)
    })
    spare = writer
    return readAnswer(one, payload)
  }

  function nextCorrelation(): number {
    correlation = (correlation + 1) & 0x7fff_ffff
    return correlation
  }

  /**
   * What arrived while this thread was busy elsewhere is read before the connection is given up.
   */
  function late(mine: number, timeoutMs: number): void {
    setImmediate(() => {
      if (awaited.some(({ correlation }) => correlation === mine))
        end(new KafkaAway(`Kafka was silent for ${timeoutMs} ms.`))
    })
  }

  function received(chunk: Buffer): void {
    try {
      for (const { correlation: of, payload } of frames.push(chunk)) {
        const at = awaited.findIndex(({ correlation }) => correlation === of)
        const [one] = at === -1 ? [] : awaited.splice(at, 1)
        if (one === undefined) throw new Error('Kafka answers what was not asked.')
        clearTimeout(one.timer)
        one.resolve(payload)
      }
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)))
    }
  }

  function end(reason: Error): void {
    if (endedBy !== null) return
    endedBy = reason
    // A plain `end` would leave a half-closed socket for ever where the broker hangs.
    socket.destroy()
    for (const { timer, reject } of awaited.splice(0)) {
      clearTimeout(timer)
      reject(reason)
    }
    tellEnded(reason)
  }
}

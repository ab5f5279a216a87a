// kafkajs: connections with TLS and SASL, and Kafka's error codes; ours is the only import of it.
// Its producer and consumer stay unused: they retry and reset behind the caller's back, and answer
// for a whole request where Kafka answers for each partition. The version is pinned, so that what
// is used below its surface cannot change.
import { createRequire } from 'node:module'
import type { Logger } from '../../runtime/logger.ts'
import { KafkaAway, KafkaError } from './errors.ts'
import type { KafkaSettings } from './settings.ts'
import { openSocket } from './socket.ts'
import { WireReader, WireWriter } from './wire.ts'
import { within } from './within.ts'

/** One request of Kafka's protocol, in one version, and how its answer is read. */
export interface WireRequest<Answer> {
  readonly name: string
  readonly key: number
  readonly version: number
  /** Whether this version has tagged fields in its headers. */
  readonly flexible?: boolean
  /** About how long it gets, so that its bytes are not copied as it grows. */
  readonly bytes?: number
  encode(writer: WireWriter): void
  decode(reader: WireReader): Answer
}

/** One connection to one broker: made at the first request, and again after it was lost. */
export interface Link {
  readonly address: string
  connected(): boolean
  /** Throws KafkaAway when there was no answer within `timeoutMs`: what happened is not known. */
  request<Answer>(request: WireRequest<Answer>, timeoutMs: number): Promise<Answer>
  close(): void
}

export interface LinkOptions {
  readonly host: string
  readonly port: number
  readonly kafka: KafkaSettings
  readonly logger: Logger
}

/** Opens nothing yet. */
export function createLink({ host, port, kafka, logger }: LinkOptions): Link {
  const address = `${host}:${port}`
  let opening: Promise<Connection> | null = null
  let open: Connection | null = null
  let spare: WireWriter | null = null
  let closed = false
  return { address, connected: () => open?.isConnected() === true, request, close }

  async function request<Answer>(one: WireRequest<Answer>, timeoutMs: number): Promise<Answer> {
    const connection = await connectionOf()
    let answer: { readonly payload: Buffer }
    try {
      if (!connection.isAuthenticated()) await within(connectMs, connection.authenticate())
      // Given up for another request's sake: nobody would answer, or notice.
      if (open !== connection) throw new KafkaAway(`The connection to ${address} was given up.`)
      // Fresh memory would cost as much again as filling it. After a failure the socket may still
      // hold it, and it is left to that.
      const writer = spare ?? new WireWriter((one.bytes ?? 256) + headerBytes)
      spare = null
      const { clientId } = kafka
      const asked = exchange(connection, one, { clientId, timeoutMs, writer: writer.clear() })
      answer = await within(timeoutMs + graceMs, asked)
      spare = writer
    } catch (error) {
      // Whatever follows on this connection could be the answer to something else.
      drop(connection)
      throw away(address, error)
    }
    const reader = new WireReader(answer.payload)
    if (one.flexible === true) reader.tags()
    return one.decode(reader)
  }

  async function connectionOf(): Promise<Connection> {
    if (closed) throw new KafkaAway(`The link to ${address} is closed.`)
    if (open?.isConnected() === true) return open
    opening ??= within(connectMs * 3, connect()).finally(() => {
      opening = null
    })
    return await opening
  }

  /** A fresh one each time: kafkajs keeps the torn rest of an answer over a reconnect. */
  async function connect(): Promise<Connection> {
    if (open !== null) drop(open)
    const broker = brokerOf({ host, port, kafka, logger })
    const connection = await broker.connectionPool.getConnection(0).catch((error: unknown) => {
      throw away(address, error)
    })
    try {
      await broker.connect()
    } catch (error) {
      drop(connection)
      throw away(address, error)
    }
    // Too late, and another one was made meanwhile.
    if (closed || open !== null) drop(connection)
    else open = connection
    return connection
  }

  function drop(connection: Connection): void {
    if (open === connection) open = null
    connection.rejectRequests(new KafkaAway(`The connection to ${address} was given up.`))
    connection.requestQueue.destroy()
    void connection.disconnect().catch(() => undefined)
    // A broker that hangs would hold a half-closed socket for ever.
    connection.socket?.destroy()
  }

  function close(): void {
    closed = true
    if (open !== null) drop(open)
  }
}

const away = (address: string, error: unknown): Error =>
  error instanceof KafkaError || error instanceof KafkaAway
    ? error
    : new KafkaAway(`Kafka at ${address}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })

/** The error of a code that is not 0. */
export function errorOf(code: number): KafkaError {
  const known = errorCodes.find((one) => one.code === code)
  return new KafkaError(
    known?.type ?? `ERROR_${code}`,
    known?.retriable ?? false,
    known?.message ?? 'Kafka has an error that we do not know.',
  )
}

/** Throws where a broker's code is not 0. */
export function checkCode(code: number): void {
  if (code !== 0) throw errorOf(code)
}

/** The partition that every client's default gives a key, so that a key stays in one. */
export function partitionOfKey(key: string, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions
}

interface ExchangeOptions {
  readonly clientId: string
  readonly timeoutMs: number
  readonly writer: WireWriter
}

/**
 * As kafkajs' own `send`, without its encoder: that copies every byte three times and zeroes twice
 * as many.
 */
function exchange<Answer>(
  connection: Connection,
  request: WireRequest<Answer>,
  { clientId, timeoutMs, writer }: ExchangeOptions,
): Promise<{ readonly payload: Buffer }> {
  const { key, version, name } = request
  const correlationId = connection.nextCorrelationId()
  writer.int32(0).int16(key).int16(version).int32(correlationId).text(clientId)
  if (request.flexible === true) writer.unsigned(0)
  request.encode(writer)
  writer.patch32(0, writer.length - 4)
  const frame = writer.bytes
  return new Promise((resolve, reject) => {
    connection.requestQueue.push({
      entry: { apiKey: key, apiName: name, apiVersion: version, correlationId, resolve, reject },
      expectResponse: true,
      requestTimeout: timeoutMs,
      sendRequest: () => void connection.socket?.write(frame),
    })
  })
}

function brokerOf({ host, port, kafka, logger }: LinkOptions): Broker {
  const kafkajsLogger = createLogger({
    level: 1,
    // What matters of it comes as errors to us; its own lines are for those who look closely.
    logCreator: () => (line) => logger.debug({ kafkajs: line.namespace }, line.log.message),
  })
  const { tls } = kafka
  const connectionPool = new ConnectionPool({
    host,
    port,
    clientId: kafka.clientId,
    logger: kafkajsLogger,
    ssl: tls,
    // A copy: kafkajs writes into it.
    sasl: kafka.sasl === null ? null : { ...kafka.sasl },
    connectionTimeout: connectMs,
    // The least that a request may ask for.
    requestTimeout: connectMs,
    enforceRequestTimeout: true,
    socketFactory: ({ onConnect }) => openSocket({ host, port, tls, onConnect }),
  })
  return new BrokerClass({
    connectionPool,
    logger: kafkajsLogger,
    authenticationTimeout: connectMs,
  })
}

const connectMs = 1_500
const headerBytes = 256
const graceMs = 500

interface Connection {
  readonly socket?: {
    write(bytes: Uint8Array): void
    destroy(): void
  }
  readonly requestQueue: RequestQueue
  isConnected(): boolean
  isAuthenticated(): boolean
  authenticate(): Promise<void>
  nextCorrelationId(): number
  rejectRequests(error: Error): void
  disconnect(): Promise<unknown>
}

interface RequestQueue {
  readonly pending: readonly unknown[]
  push(request: {
    readonly entry: Readonly<Record<string, unknown>>
    readonly expectResponse: boolean
    readonly requestTimeout: number
    sendRequest(): void
  }): void
  destroy(): void
  scheduleCheckPendingRequests(): void
}

interface Broker {
  readonly connectionPool: { getConnection(index: number): Promise<Connection> }
  connect(): Promise<void>
}

interface KafkajsLine {
  readonly namespace: string
  readonly log: { readonly message: string }
}

interface PoolOptions {
  readonly socketFactory: (options: { readonly onConnect: () => void }) => unknown
  readonly [option: string]: unknown
}

const load = createRequire(import.meta.url)
const BrokerClass = load('kafkajs/src/broker/index.js') as new (options: unknown) => Broker
const ConnectionPool = load('kafkajs/src/network/connectionPool.js') as new (
  options: PoolOptions,
) => Broker['connectionPool']
const { createLogger } = load('kafkajs/src/loggers/index.js') as {
  createLogger(options: {
    readonly level: number
    readonly logCreator: () => (line: KafkajsLine) => void
  }): unknown
}
const { errorCodes } = load('kafkajs/src/protocol/error.js') as {
  readonly errorCodes: readonly {
    readonly type: string
    readonly code: number
    readonly retriable: boolean
    readonly message: string
  }[]
}
const murmur2 = load('kafkajs/src/producer/partitioners/default/murmur2.js') as (
  key: string,
) => number
const queueClass = load('kafkajs/src/network/requestQueue/index.js') as {
  readonly prototype: RequestQueue
}

// kafkajs issue 1556: after any answer a timer with a negative delay arms itself again, for ever
// and a thousand times a second, on every connection. Nothing waits, so there is nothing to look
// at.
const { scheduleCheckPendingRequests } = queueClass.prototype
queueClass.prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
  if (this.pending.length > 0) scheduleCheckPendingRequests.call(this)
}

import { KafkaAway, KafkaError } from '../errors.ts'
import type { WireRequest } from '../protocol/request.ts'
import type { KafkaSettings } from '../settings.ts'
import type { Connection } from './connection.ts'
import { openConnection } from './connection.ts'
import { logIn } from './login.ts'

/**
 * The way to one broker: it connects at the first request, and again after a connection is lost.
 */
export interface BrokerLink {
  readonly address: string
  connected(): boolean
  /**
   * Throws KafkaAway when the broker cannot be reached, or does not answer within `timeoutMs`; what
   * it did is then unknown. The link never sends a request twice by itself.
   */
  request<Answer>(request: WireRequest<Answer>, timeoutMs: number): Promise<Answer>
  close(): void
}

export interface BrokerLinkOptions {
  readonly host: string
  readonly port: number
  readonly kafka: KafkaSettings
}

/** A connection that is logged in. */
interface LoggedIn {
  readonly connection: Connection
  /** When it must log in again, by the monotonic clock in ms. */
  logInAt: number
  loggingIn: Promise<void> | null
}

/** Does not connect yet. */
export function createBrokerLink({ host, port, kafka }: BrokerLinkOptions): BrokerLink {
  const address = `${host}:${port}`
  let open: LoggedIn | null = null
  let opening: Promise<LoggedIn> | null = null
  let closed = false
  return { address, connected, request, close }

  function connected(): boolean {
    return open?.connection.isOpen() === true
  }

  async function request<Answer>(one: WireRequest<Answer>, timeoutMs: number): Promise<Answer> {
    try {
      const current = await currentOne()
      if (performance.now() >= current.logInAt) await logInAgain(current)
      return await current.connection.request(one, timeoutMs)
    } catch (error) {
      throw away(error)
    }
  }

  async function currentOne(): Promise<LoggedIn> {
    if (closed) throw new KafkaAway(`The link to ${address} is closed.`)
    if (open?.connection.isOpen() === true) return open
    opening ??= openOne().finally(() => {
      opening = null
    })
    return await opening
  }

  async function openOne(): Promise<LoggedIn> {
    const connection = await openConnection({ host, port, kafka, withinMs: stepMs })
    const made: LoggedIn = { connection, logInAt: Number.POSITIVE_INFINITY, loggingIn: null }
    if (kafka.sasl !== null) await logInAgain(made)
    if (closed) connection.close(new KafkaAway(`The link to ${address} is closed.`))
    else open = made
    return made
  }

  async function logInAgain(of: LoggedIn): Promise<void> {
    of.loggingIn ??= loggedIn(of).finally(() => {
      of.loggingIn = null
    })
    await of.loggingIn
  }

  async function loggedIn(of: LoggedIn): Promise<void> {
    if (kafka.sasl === null) return
    try {
      of.logInAt = await logIn(of.connection, { sasl: kafka.sasl, answerMs: stepMs })
    } catch (error) {
      of.connection.close(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }

  function away(error: unknown): Error {
    if (error instanceof KafkaError || error instanceof KafkaAway) return error
    if (error instanceof RangeError) return error
    const reason = error instanceof Error ? error.message : String(error)
    return new KafkaAway(`Kafka at ${address}: ${reason}`, { cause: error })
  }

  function close(): void {
    closed = true
    open?.connection.close(new KafkaAway(`The connection to ${address} was given up.`))
  }
}

/** How long each step of connecting may take: the socket, and each answer of the login. */
const stepMs = 1_500

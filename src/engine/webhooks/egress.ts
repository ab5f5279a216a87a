import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { limits } from '../../limits.ts'
import type { Destinations } from '../../rules/facts/destination.ts'
import { hostOf } from '../../rules/facts/destination.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { parseAddress } from '../../std/address.ts'
import type { Resolve } from './resolve.ts'

/** One POST request to be sent. */
export interface Outgoing {
  readonly url: string
  readonly mode: Mode
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * Where a name has several addresses each attempt takes the next one, so that one dead address
   * fails no delivery.
   */
  readonly attempt: number
  /** Breaks the exchange off; the error is then `aborted`. */
  readonly signal: AbortSignal
}

/**
 * Why an exchange failed, as one of a few words for a column of the attempts; never a message from
 * outside.
 */
export type EgressError =
  | 'aborted'
  | 'closed'
  | 'dns'
  | 'forbidden_address'
  | 'network'
  | 'protocol'
  | 'redirect'
  | 'refused'
  | 'status'
  | 'timeout'
  | 'tls'

/** `error` null: a 2xx, read to its end or to the bound. */
export interface PostAnswer {
  readonly status: number | null
  readonly error: EgressError | null
  readonly retryAfter: string | null
  /** The beginning of the body; null: nobody answered. */
  readonly answer: string | null
}

export interface EgressNeeds {
  readonly destinations: Destinations
  readonly resolve: Resolve
  readonly timeoutMs: number
}

type Found = { readonly address: string } | { readonly error: EgressError }

/**
 * Posts to addresses of strangers, and to no others: every address that a name resolves to is
 * checked, and the connection is made to a checked address, not to the name, so that a second
 * answer of the name server changes nothing. Redirects are not followed. Connections are not kept,
 * because a kept one would be reused by name, without a check. [webhooks#where-endpoints-may-be]
 */
export function openEgress(options: EgressNeeds): (outgoing: Outgoing) => Promise<PostAnswer> {
  const { destinations, resolve, timeoutMs } = options
  return post

  function post(outgoing: Outgoing): Promise<PostAnswer> {
    return new Promise((done) => {
      let exchange: ClientRequest | null = null
      let over = false
      let refused: () => PostAnswer | null = () => null
      // One timer over everything, name servers included, since each step alone could be slow
      // without end.
      const timer = setTimeout(() => finish(failed('timeout')), timeoutMs)
      const abort = (): void => finish(failed('aborted'))
      outgoing.signal.addEventListener('abort', abort)

      if (outgoing.signal.aborted) abort()
      else addressOf(outgoing).then(connect, () => finish(failed('dns')))

      function connect(found: Found): void {
        if (over) return
        try {
          if ('error' in found) finish(failed(found.error))
          else exchange = send(outgoing, found.address, { finish, refusal: keep })
        } catch {
          finish(failed('protocol'))
        }
      }

      function keep(soFar: () => PostAnswer): void {
        refused = soFar
      }

      function finish(answer: PostAnswer): void {
        if (over) return
        over = true
        clearTimeout(timer)
        outgoing.signal.removeEventListener('abort', abort)
        exchange?.destroy()
        // A refusal was one before its connection broke.
        done(answer.status === null ? (refused() ?? answer) : answer)
      }
    })
  }

  /** A checked address, or the reason why there is none. */
  async function addressOf({ url, mode, attempt }: Outgoing): Promise<Found> {
    const host = hostOf(new URL(url))
    const addresses = await resolve(host, destinations.lists(host))
    // Where one address of a name is forbidden, its other addresses are not trusted either.
    if (!addresses.every((address) => destinations.allows(mode, host, address))) {
      return { error: 'forbidden_address' }
    }
    const address = addresses[(attempt - 1) % addresses.length]
    return address === undefined ? { error: 'dns' } : { address }
  }
}

/** Takes the outcome of an exchange. */
interface Waiting {
  finish(answer: PostAnswer): void
  /** It is a refusal, whatever else comes: `soFar` is what to say if nothing does. */
  refusal(soFar: () => PostAnswer): void
}

function send(outgoing: Outgoing, address: string, waiting: Waiting): ClientRequest {
  const { finish } = waiting
  const url = new URL(outgoing.url)
  const host = hostOf(url)
  const options: RequestOptions & { servername: string } = {
    method: 'POST',
    host: address,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
    path: `${url.pathname}${url.search}`,
    // The certificate must be valid for the name, though the connection is made to the address.
    servername: parseAddress(host) === null ? host : '',
    headers: { ...outgoing.headers, host: url.host, connection: 'close' },
    agent: false,
  }
  const exchange = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
  exchange.on('response', (response) => {
    const status = response.statusCode ?? 0
    if (status >= 200 && status <= 299) readSuccess(response, status, finish)
    else readRefusal(response, status, waiting)
  })
  exchange.on('upgrade', (_response, socket) => {
    socket.destroy()
    finish(failed('protocol'))
  })
  exchange.on('error', (error) => finish(failed(nameOf(error))))
  exchange.on('close', () => finish(failed('closed')))
  exchange.end(outgoing.body)
  return exchange
}

function readSuccess(response: IncomingMessage, status: number, finish: Waiting['finish']): void {
  const body = beginning()
  const delivered = (): PostAnswer => ({
    status,
    error: null,
    retryAfter: null,
    answer: body.text(),
  })
  response.on('data', (chunk: Buffer) => {
    if (body.take(chunk) > limits.webhookAnswerBytesMax) finish(delivered())
  })
  response.on('end', () => finish(delivered()))
  response.on('error', () => {
    finish({ status, error: 'closed', retryAfter: null, answer: body.text() })
  })
}

/** How long the body of a refusal is waited for. */
const refusalBodyMs = 1_000

/** The status says what counts; the beginning of the body is for people, and waited for briefly. */
function readRefusal(
  response: IncomingMessage,
  status: number,
  { finish, refusal }: Waiting,
): void {
  const body = beginning()
  const refused = (): PostAnswer => ({
    status,
    error: status >= 300 && status < 400 ? 'redirect' : 'status',
    retryAfter: response.headers['retry-after'] ?? null,
    answer: body.text(),
  })
  const timer = setTimeout(() => finish(refused()), refusalBodyMs).unref()
  const over = (): void => {
    clearTimeout(timer)
    finish(refused())
  }
  refusal(refused)
  response.on('data', (chunk: Buffer) => {
    if (body.take(chunk) >= limits.webhookAnswerKeptBytesMax) over()
  })
  response.on('end', over)
  response.on('error', over)
}

interface Beginning {
  /** Answers how many bytes have come so far. */
  take(chunk: Buffer): number
  text(): string
}

/** Keeps the first bytes of a body, as text that the store can hold. */
function beginning(): Beginning {
  const kept: Buffer[] = []
  let bytes = 0
  return { take, text }

  function take(chunk: Buffer): number {
    const room = limits.webhookAnswerKeptBytesMax - bytes
    if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)))
    bytes += chunk.length
    return bytes
  }

  function text(): string {
    // As a stream, so that a character cut in two at the end is left out and not shown as broken.
    const decoded = new TextDecoder().decode(Buffer.concat(kept), { stream: true })
    return decoded.replaceAll('\0', '\ufffd')
  }
}

const failed = (error: EgressError): PostAnswer => ({
  status: null,
  error,
  retryAfter: null,
  answer: null,
})

function nameOf(error: Error): EgressError {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed'
  if (/^(HPE_|ERR_HTTP|ERR_INVALID)/.test(code)) return 'protocol'
  if (/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) return 'tls'
  return code === 'ETIMEDOUT' ? 'timeout' : 'network'
}

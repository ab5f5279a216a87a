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
}

export interface EgressOptions {
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
export function openEgress(options: EgressOptions): (outgoing: Outgoing) => Promise<PostAnswer> {
  const { destinations, resolve, timeoutMs } = options
  return post

  function post(outgoing: Outgoing): Promise<PostAnswer> {
    return new Promise((done) => {
      let exchange: ClientRequest | null = null
      let over = false
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
          else exchange = send(outgoing, found.address, finish)
        } catch {
          finish(failed('protocol'))
        }
      }

      function finish(answer: PostAnswer): void {
        if (over) return
        over = true
        clearTimeout(timer)
        outgoing.signal.removeEventListener('abort', abort)
        exchange?.destroy()
        done(answer)
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

function send(
  outgoing: Outgoing,
  address: string,
  finish: (answer: PostAnswer) => void,
): ClientRequest {
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
  exchange.on('response', (response) => read(response, finish))
  exchange.on('upgrade', (_response, socket) => {
    socket.destroy()
    finish(failed('protocol'))
  })
  exchange.on('error', (error) => finish(failed(nameOf(error))))
  exchange.on('close', () => finish(failed('closed')))
  exchange.end(outgoing.body)
  return exchange
}

function read(response: IncomingMessage, finish: (answer: PostAnswer) => void): void {
  const status = response.statusCode ?? 0
  const retryAfter = response.headers['retry-after'] ?? null
  if (status < 200 || status > 299) {
    const error = status >= 300 && status < 400 ? 'redirect' : 'status'
    finish({ status, error, retryAfter })
    return
  }
  const delivered: PostAnswer = { status, error: null, retryAfter: null }
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limits.webhookAnswerBytesMax) finish(delivered)
  })
  response.on('end', () => finish(delivered))
  response.on('error', () => finish({ status, error: 'closed', retryAfter: null }))
}

const failed = (error: EgressError): PostAnswer => ({ status: null, error, retryAfter: null })

function nameOf(error: Error): EgressError {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed'
  if (/^(HPE_|ERR_HTTP|ERR_INVALID)/.test(code)) return 'protocol'
  if (/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) return 'tls'
  return code === 'ETIMEDOUT' ? 'timeout' : 'network'
}

import DodoPayments from 'dodopayments'
import type { AnswerBody } from '../support/edge/call.ts'
import type { Look } from '../support/pages/described-answers.ts'
import type { Keys } from '../support/process/furnished.ts'

export interface CallOptions {
  readonly body?: unknown
  /** Instead of `body`: the bytes as they are. */
  readonly raw?: string | Uint8Array
  /** Null: no key. Absent: the key with write access in test mode. */
  readonly key?: string | null
  readonly live?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: AnswerBody
}

/** The ways in which tests ask a server. */
export interface Asking {
  /** The public client, which is told only a base address and a key. */
  client(key?: string, live?: boolean): DodoPayments
  call(target: `${string} /${string}`, options?: CallOptions): Promise<Answer>
  /** All metrics by name and labels, as they are printed. */
  metrics(): Promise<ReadonlyMap<string, number>>
}

interface AskingNeeds {
  readonly url: (which: 'test' | 'live' | 'ops') => string
  readonly keys: () => Keys
  /** Is shown all that the server answers. */
  readonly look: Look | null
}

export function asking({ keys, look, url }: AskingNeeds): Asking {
  const fetching = look === null ? fetch : shownTo(look)
  return {
    client: (bearerToken = keys().write, live = false) =>
      new DodoPayments({
        bearerToken,
        baseURL: url(live ? 'live' : 'test'),
        maxRetries: 0,
        fetch: fetching,
      }),
    call: (target, options = {}) =>
      call(fetching, `${url(options.live === true ? 'live' : 'test')} ${target}`, {
        key: keys().write,
        ...options,
      }),
    metrics: () => metricsAt(url('ops')),
  }
}

const shownTo =
  (look: Look): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init)
    await look(init?.method ?? 'GET', String(input), answer.clone())
    return answer
  }

/** `line` is the base, the method and the path. */
async function call(fetching: typeof fetch, line: string, options: CallOptions): Promise<Answer> {
  const [base = '', method = '', path = ''] = line.split(/ (\S+) (.*)/s)
  const sent = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body))
  const response = await fetching(base + path, {
    method,
    headers: {
      ...(options.key == null ? {} : { Authorization: `Bearer ${options.key}` }),
      ...(sent === null ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(sent === null ? {} : { body: sent }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  const { status, headers } = response
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : null }
}

export const metricsAt = async (url: string): Promise<ReadonlyMap<string, number>> =>
  readMetrics(await (await fetch(`${url}/metrics`)).text())

export function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

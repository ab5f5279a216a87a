import { setTimeout as sleep } from 'node:timers/promises'

export type Json = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly body: Json
  readonly position: string | null
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly after?: string
  /** Under which the same can be asked for again. */
  readonly key?: string
}

/** The API as a customer's program calls it: with one try, or as many as it takes. */
export interface Api {
  /** One try. Rejects when there is no answer; the call may or may not have been applied then. */
  once(call: Call): Promise<Answer>
  /** Repeats until there is an answer that a repeat would not change. Counts the repeats. */
  insist(call: Call): Promise<Answer & { readonly tries: number }>
  /** One try at a file; with `patienceMs`, until there is an answer that a repeat would not change. */
  file(path: string, patienceMs?: number): Promise<FileAnswer>
  /** A GET that answers 200. */
  got(path: string): Promise<Json>
  /** A POST that answers 200 or 201. */
  made(path: string, body: object): Promise<Json>
}

export interface FileAnswer {
  readonly status: number
  readonly bytes: Uint8Array
  /** As the answer calls the file. */
  readonly name: string
}

export interface ApiOptions {
  /** Where to send the next request. */
  readonly url: () => string
  readonly key: string
  readonly timeoutMs?: number
  /** How long `insist` goes on. */
  readonly patienceMs?: number
  /** Called with every answer. */
  readonly answered?: (call: Call, answer: Answer) => void
}

export function openApi(options: ApiOptions): Api {
  const { url, key, timeoutMs = 6_000, patienceMs = 120_000 } = options
  return { once, insist, file, got, made }

  async function once({ method, path, body, after, key: callKey }: Call): Promise<Answer> {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(callKey === undefined ? {} : { 'idempotency-key': callKey }),
        ...(after === undefined ? {} : { 'sluice-after': after }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const position = response.headers.get('sluice-position')
    const json = text === '' ? {} : (JSON.parse(text) as Json)
    const answer = { status: response.status, body: json, position }
    options.answered?.({ method, path }, answer)
    return answer
  }

  async function insist(call: Call): Promise<Answer & { readonly tries: number }> {
    const deadline = performance.now() + patienceMs
    for (let tries = 1; ; tries += 1) {
      const answer = await once(call).catch((error: unknown) => String(error))
      if (typeof answer !== 'string' && !isPassing(answer.status)) return { ...answer, tries }
      if (performance.now() > deadline) {
        const last = typeof answer === 'string' ? answer : JSON.stringify(answer)
        throw new Error(`${call.method} ${call.path} was not answered in time: ${last}`)
      }
      await sleep(Math.min(20 * tries, 250))
    }
  }

  async function file(path: string, patience = 0): Promise<FileAnswer> {
    const deadline = performance.now() + patience
    for (;;) {
      const headers = { authorization: `Bearer ${key}` }
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(`${url()}${path}`, { headers, signal })
      const bytes = new Uint8Array(await response.arrayBuffer())
      const { status } = response
      const name = response.headers.get('content-disposition') ?? ''
      if (!isPassing(status) || performance.now() > deadline) return { status, bytes, name }
      await sleep(500)
    }
  }

  async function got(path: string): Promise<Json> {
    return expected(path, await insist({ method: 'GET', path }))
  }

  async function made(path: string, body: object): Promise<Json> {
    return expected(path, await insist({ method: 'POST', path, body }))
  }
}

/** Whether the answer may be another one at the next try. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429

function expected(path: string, { status, body }: Answer): Json {
  if (status === 200 || status === 201) return body
  throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
}

import type { ShownMode } from './address.ts'
import { useEffect, useState } from './ui.ts'

/** Why something was not done, as the server says it. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly docs: string | null

  constructor(status: number, told: Readonly<Record<string, unknown>>) {
    super(typeof told['message'] === 'string' ? told['message'] : `The server answered ${status}.`)
    this.status = status
    this.code = String(told['code'] ?? '')
    this.docs = typeof told['doc_url'] === 'string' ? told['doc_url'] : null
  }
}

export type Json = Readonly<Record<string, unknown>>

/** Called when a session is over: whatever is shown makes room for the log-in. */
let onLoggedOut: () => void = () => undefined
export function whenLoggedOut(then: () => void): void {
  onLoggedOut = then
}

const base = '/console/api'
export const apiPath = (mode: ShownMode, path: string): string => `${base}/${mode}${path}`
export const consolePath = (path: string): string => `${base}${path}`

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** @throws Refused; also where the server cannot be reached. */
export const callApi = <T = Json>(method: Method, path: string, body?: unknown): Promise<T> =>
  carriedOut<T>({ method, path, body, signal: null })

/** A `POST` that acts once for a key, however often it is sent. @throws Refused */
export const callOnce = (path: string, body: unknown, key: string): Promise<Json> =>
  carriedOut({ method: 'POST', path, body, key, signal: null })

/** Sends a file as it is. @throws Refused */
export async function sendFile(path: string, file: Blob): Promise<void> {
  await carriedOut({ method: 'PUT', path, body: file, signal: null })
}

interface Call {
  readonly method: Method
  readonly path: string
  readonly body: unknown
  /** Absent: it may act twice. */
  readonly key?: string
  readonly signal: AbortSignal | null
}

async function carriedOut<T>(call: Call): Promise<T> {
  const answer = await sent(call)
  const text = await answer.text()
  const told = text === '' ? {} : parsed(text)
  if (answer.ok) return told as T
  if (answer.status === 401 && !/\/(log-in|setup)/.test(call.path)) onLoggedOut()
  throw new Refused(answer.status, told as Json)
}

async function sent({ method, path, body, key, signal }: Call): Promise<Response> {
  const headers: Record<string, string> = { 'Sluice-Console': '1' }
  if (key !== undefined) headers['Idempotency-Key'] = key
  const isFile = body instanceof Blob
  if (body !== undefined && !isFile) headers['Content-Type'] = 'application/json'
  const content = body === undefined ? null : isFile ? body : JSON.stringify(body)
  try {
    return await fetch(path, { method, headers, body: content, signal })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Refused(0, { message: 'The server cannot be reached. Is it running? Try again.' })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text.slice(0, 300) }
  }
}

export interface LoadedAnswer<T> {
  readonly data: T | null
  readonly failure: Refused | null
  /** Shown data may be older than what is being loaded. */
  readonly loading: boolean
  readonly again: () => void
}

/** What was shown lately, so that going back shows it at once. */
const lately = new Map<string, unknown>()
const latelyMax = 60

/** Everything of one user is forgotten when another logs in. */
export const forgetLately = (): void => lately.clear()

/** What a path answers; null loads nothing. */
export function useLoaded<T = Json>(path: string | null): LoadedAnswer<T> {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{
    path: string | null
    data: T | null
    failure: Refused | null
  }>({
    path: null,
    data: null,
    failure: null,
  })
  useEffect(() => {
    if (path === null) return
    const ending = new AbortController()
    carriedOut<T>({ method: 'GET', path, body: undefined, signal: ending.signal }).then(
      (data) => {
        remember(path, data)
        setState({ path, data, failure: null })
      },
      (failure: unknown) => {
        if (ending.signal.aborted) return
        const refused =
          failure instanceof Refused ? failure : new Refused(0, { message: `${failure}` })
        setState({ path, data: null, failure: refused })
      },
    )
    return () => ending.abort()
  }, [path, turn])
  const again = () => setTurn(turn + 1)
  if (state.path === path) return { ...state, loading: false, again }
  const data = path === null ? null : ((lately.get(path) as T | undefined) ?? null)
  return { data, failure: null, loading: path !== null, again }
}

function remember(path: string, data: unknown): void {
  lately.delete(path)
  lately.set(path, data)
  if (lately.size <= latelyMax) return
  const [oldest] = lately.keys()
  if (oldest !== undefined) lately.delete(oldest)
}

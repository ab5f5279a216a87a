import { get } from 'node:http'

/** One event as a client of server-sent events gets it. */
export interface StreamedOne {
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface EventSource {
  readonly events: readonly StreamedOne[]
  /** What it would come back with. */
  readonly lastEventId: string | null
  /** Of the newest connection; null: there was no answer. */
  readonly status: number | null
  readonly body: string
  /** How often a connection of it has ended. */
  readonly ends: number
  close(): void
}

export interface EventSourceOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly lastEventId?: string
  /** Comes back when the stream ends, as clients do, to where the server is then. */
  readonly again?: () => string
}

/**
 * Reads a stream by the rules of its format: an `id` counts when its block is whole, a block
 * without data is no event.
 */
export function eventSource(url: string, options: EventSourceOptions): EventSource {
  const events: StreamedOne[] = []
  const state = {
    lastEventId: options.lastEventId ?? null,
    status: null as number | null,
    body: '',
    ends: 0,
  }
  let closed = false
  let hangUp: () => void = () => undefined
  connect(url)
  return {
    events,
    get lastEventId() {
      return state.lastEventId
    },
    get status() {
      return state.status
    },
    get body() {
      return state.body
    },
    get ends() {
      return state.ends
    },
    close() {
      closed = true
      hangUp()
    },
  }

  function connect(to: string): void {
    const known = state.lastEventId === null ? {} : { 'Last-Event-ID': state.lastEventId }
    const request = get(to, { agent: false, headers: { ...options.headers, ...known } })
    let isOver = false
    const over = (): void => {
      if (isOver) return
      isOver = true
      state.ends += 1
      const { again } = options
      if (!closed && again !== undefined) setTimeout(() => closed || connect(again()), 50)
    }
    hangUp = () => request.destroy()
    request.on('error', over)
    request.on('response', (answer) => {
      state.status = answer.statusCode ?? null
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        state.body += chunk
        if (answer.statusCode !== 200) return
        const blocks = (text + chunk).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      })
      answer.on('error', over)
      answer.on('close', over)
    })
  }

  function take(block: string): void {
    const fields = new Map(
      block.split('\n').flatMap((line) => {
        const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
        return name === '' ? [] : [[name, value] as const]
      }),
    )
    const id = fields.get('id')
    if (id !== undefined) state.lastEventId = id
    const data = fields.get('data')
    if (data === undefined) return
    events.push({ id: state.lastEventId ?? '', event: fields.get('event') ?? 'message', data })
  }
}

/** One message of a stream of server-sent events. */
export interface StreamedText {
  readonly id: string
  readonly event: string
  readonly data: string
}

const againMs = 2_000

/**
 * Follows a stream of server-sent events until it is told to stop, and comes back where it broke
 * off. `EventSource` cannot send the header that keeps other sites out.
 */
export function eventsOf(path: string, each: (message: StreamedText) => void): () => void {
  const ending = new AbortController()
  let last = ''
  void follow()
  return () => ending.abort()

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      await once().catch(() => undefined)
      await new Promise((resume) => setTimeout(resume, againMs))
    }
  }

  async function once(): Promise<void> {
    const headers: Record<string, string> = { 'Sluice-Console': '1' }
    if (last !== '') headers['Last-Event-ID'] = last
    const answer = await fetch(path, { headers, signal: ending.signal })
    if (answer.status === 410) last = ''
    if (!answer.ok || answer.body === null) return
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) told(block)
    }
  }

  function told(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (name !== '')
        fields.set(name, name === 'data' ? (fields.get('data') ?? '') + value : value)
    }
    const id = fields.get('id')
    if (id !== undefined) last = id
    const [event, data] = [fields.get('event') ?? '', fields.get('data') ?? '']
    if (event !== '' || data !== '') each({ id: id ?? '', event, data })
  }
}

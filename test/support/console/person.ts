import { request } from 'node:http'

/** What the console's server answered. */
export interface ConsoleAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface Sent {
  readonly body?: unknown
  /** Instead of the cookie that the person has; null: none. */
  readonly cookie?: string | null
  /** Null takes away what the console would send. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** Somebody with a browser: it keeps the cookie, and sends what the console's script sends. */
export class Person {
  readonly base: string
  cookie: string | null = null
  /** Where the person says to come from; null: they come as they are. */
  address: string | null = null

  constructor(base: string) {
    this.base = base
  }

  /** `target`: method and path below `/console/api`, or below the host where it begins with `~`. */
  async call(target: string, sent: Sent = {}): Promise<ConsoleAnswer> {
    const [method = 'GET', path = ''] = target.split(' ')
    const url = new URL(path.startsWith('~') ? path.slice(1) : `/console/api${path}`, this.base)
    const body = sent.body === undefined ? '' : JSON.stringify(sent.body)
    const cookie = sent.cookie === undefined ? this.cookie : sent.cookie
    const headers = {
      'Content-Type': body === '' ? null : 'application/json',
      'Content-Length': method === 'GET' ? null : String(Buffer.byteLength(body)),
      'Sluice-Console': '1',
      'User-Agent': 'a browser',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': this.address,
      Cookie: cookie,
      ...sent.headers,
    }
    const kept = Object.entries(headers).filter((one): one is [string, string] => one[1] !== null)
    const answer = await talk(url, { method, headers: Object.fromEntries(kept) }, body)
    const [set] = answer.headers['set-cookie'] ?? []
    if (set !== undefined) this.cookie = set.split(';')[0] ?? null
    return answer
  }

  /** Uses the link of `users create`. */
  async setUp(setupUrl: string, password: string): Promise<ConsoleAnswer> {
    return this.call('POST /setup', { body: { word: wordOf(setupUrl), password } })
  }

  async logIn(email: string, password: string): Promise<ConsoleAnswer> {
    return this.call('POST /log-in', { body: { email, password } })
  }
}

export const wordOf = (setupUrl: string): string => new URL(setupUrl).hash.slice(1)

function talk(
  url: URL,
  options: { method: string; headers: Record<string, string> },
  body: string,
): Promise<ConsoleAnswer> {
  return new Promise((done, failed) => {
    const sent = request(url, options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => {
        const { statusCode = 0, headers } = answer
        done({ status: statusCode, headers, text, body: readJson(text) })
      })
    })
    sent.on('error', failed)
    sent.end(body)
  })
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

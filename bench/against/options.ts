import { parseArgs } from 'node:util'

/** What `npm run bench -- against` is asked for. */
export interface Against {
  readonly url: string
  readonly key: string
  /** Events a second, whatever the server does. */
  readonly rate: number
  readonly seconds: number
  /** Events of a request. */
  readonly batch: number
  /** Requests that may be on their way at a time; more wait, and their waiting counts. */
  readonly connections: number
  readonly eventName: string
}

const usage =
  'npm run bench -- against URL --key KEY --rate EVENTS_PER_S [--seconds 30] [--batch 100] [--connections 256] [--event NAME]'

/** @throws Error with the usage where the words make no sense. */
export function againstOf(words: readonly string[]): Against {
  const { positionals, values } = parse(words)
  const [url = '', ...more] = positionals
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url) || more.length > 0) {
    throw new Error(`One URL is needed.\nUsage: ${usage}`)
  }
  if (values.key === undefined || values.rate === undefined) {
    throw new Error(`--key and --rate are needed.\nUsage: ${usage}`)
  }
  return {
    url: url.replace(/\/+$/, ''),
    key: values.key,
    rate: positive('rate', values.rate),
    seconds: positive('seconds', values.seconds),
    batch: Math.min(1_000, Math.ceil(positive('batch', values.batch))),
    connections: Math.ceil(positive('connections', values.connections)),
    eventName: values.event,
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        rate: { type: 'string' },
        seconds: { type: 'string', default: '30' },
        batch: { type: 'string', default: '100' },
        connections: { type: 'string', default: '256' },
        event: { type: 'string', default: 'completion.done' },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`)
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${name} takes a number above 0, not '${text}'.\nUsage: ${usage}`)
}

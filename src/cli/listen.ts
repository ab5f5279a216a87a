import { runningStore } from '../compose/running-store.ts'
import { repositories } from '../compose/store.ts'
import { orNotFound } from '../faults.ts'
import { followStream } from '../operations/webhooks/follow-stream.ts'
import type { StreamPlace } from '../operations/webhooks/stream-place.ts'
import { streamPlace } from '../operations/webhooks/stream-place.ts'
import type { Scope } from '../parts/store/scope.ts'
import type { StreamedMessage } from '../parts/store/webhook-streams.ts'
import type { WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { webhookEventTypes } from '../rules/facts/webhook-event-types.ts'
import { systemClock } from '../runtime/clock.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import { openLogger } from '../runtime/logger.ts'
import { newSigningSecret } from '../runtime/secrets.ts'
import { toWebhookSecret } from '../wire/webhook-endpoint.ts'
import { readTypes } from '../wire/webhook-stream.ts'
import type { Command, Input } from './command.ts'
import { UsageError, withStore } from './command.ts'
import type { Forwarded } from './forwarding.ts'
import { forward } from './forwarding.ts'
import { jsonDisplay, linesDisplay } from './listen-display.ts'

/** Until SIGINT or SIGTERM, which is its usual end. */
export const listen: Command = {
  name: 'listen',
  usage: '--business ID [--forward-to URL] [--types A,B]',
  summary: 'shows test-mode webhooks as they happen, and posts them, signed, to a local URL',
  options: {
    business: { type: 'string' },
    'forward-to': { type: 'string' },
    types: { type: 'string' },
  },
  positionals: [],
  choices: { types: webhookEventTypes },

  async run(input) {
    const scope = { businessId: input.required('business'), mode: 'test' } as const
    const [url, types] = [urlOf(input.text('forward-to')), typesOf(input.text('types'))]
    const from = await placeOf(input, scope)
    const secret = url === null ? null : newSigningSecret()
    greet(input, { scope, url, secret })
    await follow(input, { scope, from, types, url, secret })
    return 0
  },
}

function urlOf(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  if (isHttp && url.username === '' && url.password === '') return text
  throw new UsageError(
    `--forward-to must be a URL such as http://localhost:3000/webhooks, without a password; not '${text}'.`,
  )
}

function typesOf(text: string | null): readonly WebhookEventType[] | null {
  if (text === null) return null
  const { types, unknown } = readTypes(text)
  if (unknown === null) return types
  throw new UsageError(
    `--types must list kinds such as credit.added,credit.deducted; there is no kind '${unknown}'.`,
  )
}

/** From here on nothing is missed, even where no server runs yet. */
const placeOf = (input: Input, scope: Scope): Promise<StreamPlace> =>
  withStore(input, async (ports) => {
    orNotFound(await ports.businesses.find(scope.businessId), 'business', scope.businessId)
    const { streams } = repositories(ports.db, input.config())
    return streamPlace({ ...ports, streams }, scope, null)
  })

interface Session {
  readonly scope: Scope
  readonly url: string | null
  readonly secret: Uint8Array | null
}

/** With `--json` stdout is for messages alone. */
function greet(input: Input, { scope, url, secret }: Session): void {
  const lines = [
    `Listening to the test-mode webhooks of ${scope.businessId}; Ctrl-C ends it.`,
    ...(url === null ? [] : [`They are posted to ${url}, signed with the secret of this session:`]),
    ...(secret === null ? [] : [toWebhookSecret(secret)]),
  ]
  const text = lines.map((line) => `${line}\n`).join('')
  if (input.flag('json')) process.stderr.write(text)
  else input.out.write(text)
}

async function follow(
  input: Input,
  session: Session & {
    readonly from: StreamPlace
    readonly types: readonly WebhookEventType[] | null
  },
): Promise<void> {
  const { scope, from, types, url, secret } = session
  const config = input.config()
  const logger = openLogger({
    level: config.logLevel === 'info' ? 'warn' : config.logLevel,
    part: 'command',
  })
  const [life, clock, signal] = [lifecycle(logger), systemClock(), endSignal()]
  const display = input.flag('json') ? jsonDisplay(input.out) : linesDisplay(input.out, clock)
  const store = runningStore({ config, life })
  // In a terminal, in the place of a line that is not complete yet.
  const tell = (sentence: string): void =>
    void process.stderr.write(`${input.out.isTerminal ? '\r\u001b[2K' : ''}${sentence}\n`)
  const needs = {
    ask: <T>(work: (streams: ReturnType<typeof repositories>['streams']) => Promise<T>) =>
      store.ask((db) => work(repositories(db, config).streams)),
    clock,
    signal,
    away: (isAway: boolean) =>
      tell(isAway ? 'The server is away: waiting for it.' : 'The server is there.'),
    gap: () => tell('Some messages before the next one are not kept any more.'),
  }
  try {
    for await (const message of followStream(needs, { scope, from, types })) {
      display.came(message)
      const forwarded = await forwardedOf(message)
      if (signal.aborted) break
      display.done(message, forwarded)
    }
  } finally {
    await life.stop(2_000)
  }

  function forwardedOf(message: StreamedMessage): Promise<Forwarded | null> {
    if (url === null || secret === null) return Promise.resolve(null)
    const away = (reason: string): void => {
      tell(`${url} is away (${reason}): waiting for it.`)
      display.came(message)
    }
    const sent = { id: message.messageId, body: message.body ?? '' }
    return forward({ url, secret, clock, signal, away }, sent)
  }
}

function endSignal(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort())
  return ending.signal
}

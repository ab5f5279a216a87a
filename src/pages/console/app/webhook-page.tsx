import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import type { Me } from './me.ts'
import { momentOfField, zoneName } from './moments.ts'
import { CopyButton, Dialog, Failure, Heading, Skeleton, StateBadge } from './parts.tsx'
import { useState } from './ui.ts'
import { ShownJson } from './values.tsx'
import { Messages } from './webhook-messages.tsx'

const sampled = ['credit.added', 'credit.deducted', 'credit.balance_low', 'payment.succeeded']

type Asked = 'test' | 'recover' | 'rotate' | 'delete' | { readonly secret: string }

/** One endpoint: what it was told, with each attempt; again, and its secret. */
export function WebhookPage({ place, me }: { place: ConsolePlace; me: Me }) {
  const { mode, steps } = place
  const id = steps[1] ?? ''
  const base = apiPath(mode, `/webhooks/${encodeURIComponent(id)}`)
  const { data, failure, again } = useLoaded(base)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [turn, setTurn] = useState(0)
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={8} />
  const isOwner = me.role === 'owner'
  const done = () => {
    setAsked(null)
    setTurn(turn + 1)
    again()
  }
  const turnOff = () =>
    callApi('PATCH', base, { disabled: data['disabled'] !== true }).then(done, () => undefined)
  const showSecret = async () => {
    const { secret } = await callApi('GET', `${base}/secret`)
    setAsked({ secret: String(secret) })
  }
  return (
    <section>
      <p class="way">
        <a href={hrefOf(mode, ['webhooks'])}>Webhooks</a>
      </p>
      <Heading
        title={String(data['url'])}
        lead={<StateBadge>{data['disabled'] === true ? 'disabled' : 'enabled'}</StateBadge>}
      >
        {isOwner && <EndpointActs ask={setAsked} turnOff={turnOff} showSecret={showSecret} />}
      </Heading>
      <Messages key={turn} place={place} base={base} isOwner={isOwner} />
      <h2>All of it</h2>
      <ShownJson mode={mode} value={data} />
      {asked !== null && (
        <AskedDialog
          asked={asked}
          base={base}
          close={() => setAsked(null)}
          show={(secret) => setAsked({ secret })}
          done={done}
          gone={() => goTo(hrefOf(mode, ['webhooks']))}
        />
      )}
    </section>
  )
}

function EndpointActs({
  ask,
  turnOff,
  showSecret,
}: {
  ask: (what: Asked) => void
  turnOff: () => void
  showSecret: () => void
}) {
  return (
    <>
      <button type="button" onClick={() => ask('test')}>
        Send a test
      </button>
      <button type="button" onClick={() => ask('recover')}>
        Recover
      </button>
      <button type="button" onClick={showSecret}>
        Secret
      </button>
      <button type="button" onClick={() => ask('rotate')}>
        Rotate the secret
      </button>
      <button type="button" onClick={turnOff}>
        Turn on or off
      </button>
      <button type="button" class="harm" onClick={() => ask('delete')}>
        Delete
      </button>
    </>
  )
}

interface AskedNeeds {
  readonly asked: Asked
  readonly base: string
  readonly close: () => void
  readonly show: (secret: string) => void
  readonly done: () => void
  readonly gone: () => void
}

function AskedDialog({ asked, base, close, show, done, gone }: AskedNeeds) {
  if (typeof asked === 'object') {
    return (
      <Dialog title="The signing secret" close={close}>
        <p class="secret">
          <code>{asked.secret}</code> <CopyButton text={asked.secret} />
        </p>
      </Dialog>
    )
  }
  const sends: Readonly<Record<Exclude<Asked, object>, (entered: Entered) => Promise<unknown>>> = {
    test: ({ type }) => callApi('POST', `${base}/test`, { type }).then(done),
    recover: ({ since }) =>
      callApi('POST', `${base}/recover`, { since: momentOfField(since ?? '') }).then(done),
    rotate: () =>
      callApi<Json>('POST', `${base}/secret/rotate`).then((made) => show(String(made['secret']))),
    delete: () => callApi('DELETE', base).then(gone),
  }
  const { title, text, danger } = words[asked]
  return (
    <Dialog title={title} close={close}>
      <p>{text}</p>
      <SendForm label={title} send={sends[asked]} danger={danger}>
        {asked === 'test' && (
          <Choice label="What happens" name="type" options={sampled.map((one) => [one, one])} />
        )}
        {asked === 'recover' && (
          <FormField
            label="Since"
            name="since"
            type="datetime-local"
            required
            hint={`In ${zoneName}.`}
          />
        )}
      </SendForm>
    </Dialog>
  )
}

const words = {
  test: {
    title: 'Send a test',
    text: 'A message with made-up contents goes out at once, signed as all are.',
    danger: false,
  },
  recover: {
    title: 'Recover',
    text: 'Everything that was not delivered since then is sent again.',
    danger: false,
  },
  rotate: {
    title: 'Rotate the secret',
    text: 'Messages are signed by the new and the former secret for a while.',
    danger: true,
  },
  delete: {
    title: 'Delete this endpoint',
    text: 'What waits for it is not sent any more.',
    danger: true,
  },
} as const

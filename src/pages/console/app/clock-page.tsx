import type { ConsolePlace } from './address.ts'
import { hrefOf } from './address.ts'
import { apiPath, callApi } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, SendForm } from './forms.tsx'
import { Inbox } from './inbox.tsx'
import type { Me } from './me.ts'
import { wholeTime } from './moments.ts'
import { Empty, Facts, Heading } from './parts.tsx'

const lengths = [
  ['PT1H', 'an hour'],
  ['P1D', 'a day'],
  ['P7D', 'a week'],
  ['P1M', 'a month'],
  ['P1Y', 'a year'],
] as const

/** The test clock: where it is, and moving it on. */
export function ClockPage({
  place: { mode },
  me,
  again,
}: {
  place: ConsolePlace
  me: Me
  again: () => void
}) {
  const send = async ({ by }: Entered) => {
    await callApi('POST', apiPath('test', '/clock/advance'), { by })
    again()
  }
  if (mode === 'live') {
    return (
      <section>
        <Heading title="Test clock" />
        <Empty title="Live mode has real time">
          <a href={hrefOf('test', ['clock'])}>The clock of test mode</a> can be moved on.
        </Empty>
      </section>
    )
  }
  const days = me.clock_ahead_seconds / 86_400
  return (
    <section>
      <Heading
        title="Test clock"
        lead="Moving it on applies everything that falls due on the way: cycle ends, expiries, renewals."
      />
      <Facts
        of={[
          ['It is now', wholeTime(me.now.test)],
          ['Ahead of real time', days === 0 ? 'not at all' : `${days.toFixed(1)} days`],
        ]}
      />
      {me.role === 'owner' && (
        <SendForm label="Move it on" send={send}>
          <Choice
            label="By"
            name="by"
            options={lengths}
            hint="It never goes back. Another length: sluice clock advance P3DT12H."
          />
        </SendForm>
      )}
      <Inbox mode="test" title="What fell due">
        <Empty title="Nothing since you came here">
          Whatever falls due shows here as the clock passes it, as the webhooks tell it.
        </Empty>
      </Inbox>
    </section>
  )
}

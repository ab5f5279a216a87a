import { ActButton } from './acts.tsx'
import type { Json } from './calls.ts'
import { callApi } from './calls.ts'
import { Foreseen } from './foreseen.tsx'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import { momentOfField, zoneName } from './moments.ts'
import { Dialog } from './parts.tsx'
import type { Children } from './ui.ts'
import { useState } from './ui.ts'

interface CommandNeeds {
  readonly path: string
  readonly row: Json
  readonly again: () => void
}

const over: readonly unknown[] = ['cancelled', 'expired', 'failed', 'pending']

/** What may be asked of a subscription as it is: each is shown before it is done. */
export function SubscriptionCommands({ path, row, again }: CommandNeeds) {
  const { status } = row
  if (over.includes(status)) return null
  const ends = row['cancel_at_next_billing_date'] === true
  const of = { path, row, again }
  return (
    <>
      {status === 'active' && (
        <CommandButton {...of} label="Pause" body={() => ({ status: 'paused' })} />
      )}
      {status === 'paused' && (
        <CommandButton {...of} label="Resume" body={() => ({ status: 'active' })} />
      )}
      {status === 'active' && <DateButton {...of} />}
      {ends ? (
        <CommandButton
          {...of}
          label="Take the end back"
          body={() => ({ cancel_at_next_billing_date: false })}
        />
      ) : (
        <CommandButton
          {...of}
          label="End with the cycle"
          danger
          fields={<WhyFields />}
          body={(entered) => ({ cancel_at_next_billing_date: true, ...whyIn(entered) })}
        />
      )}
      <CommandButton
        {...of}
        label="Cancel now"
        danger
        fields={<WhyFields />}
        body={(entered) => ({ status: 'cancelled', ...whyIn(entered) })}
      />
    </>
  )
}

const DateButton = (of: CommandNeeds) => (
  <CommandButton
    {...of}
    label="Move the date"
    fields={
      <FormField
        label="Next billing"
        name="date"
        type="datetime-local"
        required
        hint={`In ${zoneName}.`}
      />
    }
    body={({ date = '' }) => ({ next_billing_date: momentOfField(date) })}
  />
)

const feedbacks = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'low_quality',
  'too_complex',
  'other',
]

function WhyFields() {
  return (
    <>
      <Choice
        label="Why"
        name="feedback"
        options={[
          ['', 'nobody has said'],
          ...feedbacks.map((one) => [one, one.replaceAll('_', ' ')] as const),
        ]}
      />
      <FormField label="Comment" name="comment" maxLength={1_000} />
    </>
  )
}

const whyIn = ({ feedback, comment }: Entered): Json => ({
  ...(feedback ? { cancellation_feedback: feedback } : {}),
  ...(comment ? { cancellation_comment: comment } : {}),
})

interface CommandButtonNeeds extends CommandNeeds {
  readonly label: string
  readonly danger?: boolean
  readonly fields?: Children
  readonly body: (entered: Entered) => Json
}

/** A change that is foreseen by the server, shown, and then sent. */
function CommandButton({ label, danger = false, ...of }: CommandButtonNeeds) {
  return (
    <ActButton label={label} danger={danger}>
      {(close) => (
        <Dialog title={label} close={close}>
          <CommandForm label={label} danger={danger} close={close} {...of} />
        </Dialog>
      )}
    </ActButton>
  )
}

type CommandFormNeeds = CommandButtonNeeds & { readonly close: () => void }

function CommandForm({ path, row, again, close, label, danger, fields, body }: CommandFormNeeds) {
  const [wanted, setWanted] = useState<Json | null>(fields === undefined ? body({}) : null)
  const done = () => {
    close()
    again()
  }
  if (wanted === null) {
    return (
      <SendForm label="Show the result first" send={async (entered) => setWanted(body(entered))}>
        {fields}
      </SendForm>
    )
  }
  return (
    <Foreseen path={path} row={row} wanted={wanted}>
      <SendForm
        label={label}
        danger={danger === true}
        send={async () => {
          await callApi('PATCH', path, wanted)
          done()
        }}
        back={fields === undefined ? null : () => setWanted(null)}
      />
    </Foreseen>
  )
}

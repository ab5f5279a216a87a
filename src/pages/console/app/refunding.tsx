import { ActButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import { majorText, minorUnits, shownMoney } from './money.ts'
import { Dialog, Facts, Failure, Skeleton } from './parts.tsx'
import { useState } from './ui.ts'

interface RefundNeeds {
  readonly mode: ShownMode
  readonly payment: Json
  readonly done: () => void
}

/** Gives a payment back, or a part of it: the result is shown first. */
export function RefundButton({ mode, payment, done }: RefundNeeds) {
  return (
    <ActButton label="Refund">
      {(close) => (
        <Dialog title="Refund" close={close}>
          <RefundForm
            mode={mode}
            payment={payment}
            done={() => {
              close()
              done()
            }}
          />
        </Dialog>
      )}
    </ActButton>
  )
}

interface Line {
  readonly items_id: string
  readonly name: string | null
  readonly amount: number
  readonly refundable_amount: number
}

interface Chosen {
  readonly items: readonly { readonly item_id: string; readonly amount: number }[]
  readonly reason: string
}

function RefundForm({ mode, payment, done }: RefundNeeds) {
  const id = String(payment['payment_id'])
  const path = apiPath(mode, `/payments/${encodeURIComponent(id)}/line-items`)
  const { data, failure } = useLoaded<{ currency: string; items: readonly Line[] }>(path)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (failure !== null) return <Failure failure={failure} />
  if (data === null) return <Skeleton lines={4} />
  const { currency, items: lines } = data
  const look = async (entered: Entered) => setChosen(chosenIn(entered, lines, currency))
  const send = async () => {
    const { items = [], reason = '' } = chosen ?? {}
    await callApi('POST', apiPath(mode, '/refunds'), {
      payment_id: id,
      items: items.map((item) => ({ ...item, tax_inclusive: true })),
      reason: reason || null,
    })
    done()
  }
  if (chosen !== null) {
    return (
      <Result
        chosen={chosen}
        lines={lines}
        currency={currency}
        send={send}
        back={() => setChosen(null)}
      />
    )
  }
  return (
    <SendForm label="Show the result first" send={look}>
      {lines.map((line, index) => (
        <FormField
          key={line.items_id}
          label={`${line.name ?? line.items_id}, in ${currency}`}
          name={`amount-${index}`}
          inputMode="decimal"
          defaultValue={majorText(line.refundable_amount, currency)}
          disabled={line.refundable_amount === 0}
          hint={`At most ${shownMoney(line.refundable_amount, currency)}, with tax.`}
        />
      ))}
      <FormField label="Reason" name="reason" maxLength={3_000} />
    </SendForm>
  )
}

function chosenIn(entered: Entered, lines: readonly Line[], currency: string): Chosen {
  const items = lines.flatMap(({ items_id, name, refundable_amount: most }, index) => {
    const text = entered[`amount-${index}`] ?? ''
    if (text === '') return []
    const label = name ?? items_id
    const amount = minorUnits(text, currency, label)
    if (amount <= most) return amount === 0 ? [] : [{ item_id: items_id, amount }]
    throw new Error(`Of ${label} there is ${shownMoney(most, currency)} left to give back.`)
  })
  if (items.length > 0) return { items, reason: entered['reason'] ?? '' }
  throw new Error('Enter an amount to give back.')
}

interface ResultNeeds {
  readonly chosen: Chosen
  readonly lines: readonly Line[]
  readonly currency: string
  readonly send: () => Promise<void>
  readonly back: () => void
}

function Result({ chosen, lines, currency, send, back }: ResultNeeds) {
  const total = chosen.items.reduce((sum, { amount }) => sum + amount, 0)
  const left = lines.reduce((sum, line) => sum + line.refundable_amount, 0)
  return (
    <SendForm label={`Give ${shownMoney(total, currency)} back`} send={send} back={back} danger>
      <Facts
        of={[
          ['Given back', shownMoney(total, currency)],
          ['Left of the payment then', shownMoney(left - total, currency)],
          ['Credits', 'those that it brought are taken back in proportion'],
          ['Reason', chosen.reason || '–'],
        ]}
      />
    </SendForm>
  )
}

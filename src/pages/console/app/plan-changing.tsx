import { ActButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import { shownMoney } from './money.ts'
import { Dialog, Facts, Failure, Skeleton, When } from './parts.tsx'
import { useState } from './ui.ts'

interface PlanChangeNeeds {
  readonly mode: ShownMode
  /** Of the subscription. */
  readonly path: string
  readonly row: Json
  readonly done: () => void
}

/** Another plan: what it would charge and give is shown before it is changed. */
export function PlanChangeButton({ mode, path, row, done }: PlanChangeNeeds) {
  if (row['status'] !== 'active') return null
  return (
    <ActButton label="Change the plan">
      {(close) => (
        <Dialog title="Change the plan" close={close}>
          <PlanForm
            mode={mode}
            path={path}
            row={row}
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

const prorations = [
  ['prorated_immediately', 'the rest of the cycle, in proportion'],
  ['difference_immediately', 'the difference of the prices'],
  ['full_immediately', 'the whole price, with a new cycle'],
  ['do_not_bill', 'nothing'],
] as const

function PlanForm({ mode, path, row, done }: PlanChangeNeeds) {
  const list = '/products?recurring=true&page_size=100'
  const { data, failure } = useLoaded<{ items: readonly Json[] }>(apiPath(mode, list))
  const [wanted, setWanted] = useState<{ readonly body: Json; readonly preview: Json } | null>(null)
  if (failure !== null) return <Failure failure={failure} />
  if (data === null) return <Skeleton lines={4} />
  const look = async (entered: Entered) => {
    const body = planIn(entered, row)
    setWanted({ body, preview: await callApi('POST', `${path}/change-plan/preview`, body) })
  }
  if (wanted !== null) {
    const send = async () => {
      await callApi('POST', `${path}/change-plan`, wanted.body)
      done()
    }
    return <PlanResult preview={wanted.preview} send={send} back={() => setWanted(null)} />
  }
  return (
    <SendForm label="Show the result first" send={look}>
      <Choice
        label="Product"
        name="product"
        options={data.items.map((product) => [
          String(product['product_id']),
          `${product['name']}, ${shownMoney(Number(product['price']), String(product['currency']))}`,
        ])}
      />
      <FormField
        label="Quantity"
        name="quantity"
        type="number"
        min={1}
        required
        defaultValue={String(row['quantity'])}
      />
      <Choice label="Charges" name="proration" options={prorations} />
      <Choice
        label="When"
        name="when"
        options={[
          ['immediately', 'now'],
          ['next_billing_date', 'at the next billing date'],
        ]}
        hint="At the next billing date it charges the whole price, as a renewal does."
      />
    </SendForm>
  )
}

/** A change that waits begins a cycle of its own; one that is scheduled already is replaced. */
const planIn = ({ product, quantity, proration, when }: Entered, row: Json): Json => ({
  product_id: product,
  quantity: Number(quantity),
  proration_billing_mode: when === 'next_billing_date' ? 'full_immediately' : proration,
  effective_at: when,
  ...(row['scheduled_change'] === null ? {} : { cancel_scheduled_change_plan: true }),
})

interface PlanResultNeeds {
  readonly preview: Json
  readonly send: () => Promise<void>
  readonly back: () => void
}

function PlanResult({ preview, send, back }: PlanResultNeeds) {
  const charge = preview['immediate_charge'] as Json
  const summary = charge['summary'] as Json
  const plan = preview['new_plan'] as Json
  const currency = String(summary['currency'])
  const credits = Number(summary['customer_credits'])
  return (
    <SendForm label="Change the plan" send={send} back={back}>
      <Facts
        of={[
          ['Takes effect', <When at={charge['effective_at']} />],
          ['Charged', shownMoney(Number(summary['total_amount']), currency)],
          ...(credits === 0
            ? []
            : [
                [
                  credits > 0 ? 'Owed to the customer then' : 'Paid by what was owed',
                  shownMoney(Math.abs(credits), currency),
                ] as const,
              ]),
          ['Price then', shownMoney(Number(plan['recurring_pre_tax_amount']), currency)],
          ['Next billing', <When at={plan['next_billing_date']} />],
        ]}
      />
    </SendForm>
  )
}

import { ActButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, callOnce, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { Choice, FormField, SendForm } from './forms.tsx'
import { minorUnits, shownMoney } from './money.ts'
import { CopyButton, Dialog, Facts, Failure, Skeleton } from './parts.tsx'
import type { Children } from './ui.ts'
import { useState } from './ui.ts'

interface ChargingNeeds {
  readonly mode: ShownMode
  /** Of the subscription. */
  readonly path: string
  readonly row: Json
  readonly again: () => void
}

interface LookedAt {
  readonly body: Json
  readonly preview: Json
}

/** Charges a subscription on demand by its saved method: what it comes to is shown first. */
export function ChargeButton(of: ChargingNeeds) {
  const { on_demand: onDemand, status } = of.row
  if (onDemand !== true || status !== 'active') return null
  return (
    <ActButton label="Charge">
      {(close) => (
        <Dialog title="Charge" close={close}>
          <ChargeForm {...of} close={close} />
        </Dialog>
      )}
    </ActButton>
  )
}

function ChargeForm({ mode, path, row, again, close }: ChargingNeeds & { close: () => void }) {
  const currency = String(row['currency'])
  const [wanted, setWanted] = useState<LookedAt | null>(null)
  const [made, setMade] = useState<string | null>(null)
  // The same key for every try of this dialog: a lost answer charges nobody twice.
  const [key] = useState(() => crypto.randomUUID())
  const look = async ({ amount = '', description, wallet }: Entered) => {
    const body = {
      product_price: minorUnits(amount, currency, 'The amount'),
      ...(description ? { product_description: description } : {}),
      customer_balance_config: { allow_customer_credits_usage: wallet === 'true' },
    }
    setWanted({ body, preview: await callApi('POST', `${path}/charge/preview`, body) })
  }
  const send = async () => {
    const answer = await callOnce(`${path}/charge`, wanted?.body, key)
    setMade(String(answer['payment_id']))
    again()
  }
  if (made !== null) return <Charged mode={mode} payment={made} close={close} />
  if (wanted !== null) {
    return (
      <SendForm label="Charge it" send={send} back={() => setWanted(null)} danger>
        <ChargeFacts charge={wanted.preview} />
      </SendForm>
    )
  }
  return (
    <SendForm label="Show the result first" send={look}>
      <FormField
        label={`Amount, in ${currency}`}
        name="amount"
        inputMode="decimal"
        required
        hint="Tax comes on top, where the price does not have it in it."
      />
      <FormField
        label="Description"
        name="description"
        maxLength={1_000}
        hint="It stands on the invoice; left empty, the product’s own."
      />
      <Choice
        label="The customer’s wallet"
        name="wallet"
        options={[
          ['true', 'pays its part first'],
          ['false', 'stays as it is'],
        ]}
      />
    </SendForm>
  )
}

function ChargeFacts({ charge }: { charge: Json }) {
  const currency = String(charge['currency'])
  const [amount, wallet] = [Number(charge['amount']), Number(charge['from_wallet'])]
  const card = charge['card_last_four']
  const rest: readonly (readonly [string, Children])[] = [
    ['By the card', shownMoney(amount - wallet, currency)],
    ['The card', card === null ? 'the one that is entered' : `···· ${card}`],
  ]
  return (
    <Facts
      of={[
        ['Charged at once', shownMoney(amount, currency)],
        ['Of that tax', shownMoney(Number(charge['tax']), currency)],
        ...(wallet === 0 ? [] : ([['From the wallet', shownMoney(wallet, currency)]] as const)),
        ...(amount === wallet ? [] : rest),
      ]}
    />
  )
}

function Charged({
  mode,
  payment,
  close,
}: {
  mode: ShownMode
  payment: string
  close: () => void
}) {
  return (
    <div class="form">
      <p>
        The payment says what became of it:{' '}
        <a href={hrefOf(mode, ['payments', payment])}>
          <code>{payment}</code>
        </a>
      </p>
      <p class="sends">
        <button type="button" class="primary" onClick={close}>
          Done
        </button>
      </p>
    </div>
  )
}

/**
 * Another way to pay: a saved one, or a page on which the customer enters a card. What it would be
 * charged at once is shown first.
 */
export function PaymentMethodButton(of: ChargingNeeds) {
  const over: readonly unknown[] = ['cancelled', 'expired', 'failed', 'pending']
  if (over.includes(of.row['status'])) return null
  return (
    <ActButton label="Payment method">
      {(close) => (
        <Dialog title="Payment method" close={close}>
          <MethodForm {...of} close={close} />
        </Dialog>
      )}
    </ActButton>
  )
}

function MethodForm({ mode, path, row, again, close }: ChargingNeeds & { close: () => void }) {
  const customer = encodeURIComponent(String((row['customer'] as Json)['customer_id']))
  const list = apiPath(mode, `/customers/${customer}/payment-methods`)
  const { data, failure } = useLoaded<{ items: readonly Json[] }>(list)
  const [wanted, setWanted] = useState<LookedAt | null>(null)
  const [link, setLink] = useState<string | null>(null)
  if (failure !== null) return <Failure failure={failure} />
  if (data === null) return <Skeleton lines={2} />
  const look = async ({ method = '' }: Entered) => {
    const body = method === '' ? { type: 'new' } : { type: 'existing', payment_method_id: method }
    const preview = await callApi('POST', `${path}/update-payment-method/preview`, body)
    setWanted({ body, preview })
  }
  const send = async () => {
    const answer = await callApi('POST', `${path}/update-payment-method`, wanted?.body)
    again()
    if (typeof answer['payment_link'] === 'string') setLink(answer['payment_link'])
    else close()
  }
  if (link !== null) return <CardLink link={link} />
  if (wanted !== null)
    return <MethodResult wanted={wanted} send={send} back={() => setWanted(null)} />
  return (
    <SendForm label="Show the result first" send={look}>
      <Choice
        label="Method"
        name="method"
        options={[...data.items.map(methodOption), ['', 'a card that the customer enters']]}
        hint="For a card of the customer’s you get a link, which you send them."
      />
    </SendForm>
  )
}

function methodOption(method: Json): readonly [string, string] {
  const card = (method['card'] ?? {}) as Json
  const said = `${card['card_network'] ?? 'card'} ···· ${card['last4_digits'] ?? ''}`
  return [String(method['payment_method_id']), said]
}

interface MethodResultNeeds {
  readonly wanted: LookedAt
  readonly send: () => Promise<void>
  readonly back: () => void
}

function MethodResult({ wanted: { body, preview }, send, back }: MethodResultNeeds) {
  const charge = preview['charge'] as Json | null
  const isLink = body['type'] === 'new'
  return (
    <SendForm label={isLink ? 'Make the link' : 'Use it from now on'} send={send} back={back}>
      <p>
        {isLink
          ? 'The customer enters a card on a page of its own. Until then everything stays as it is.'
          : 'Later charges use it.'}
      </p>
      {charge === null ? (
        <p class="note">Nothing is owed, so nothing is charged at once.</p>
      ) : (
        <ChargeFacts charge={charge} />
      )}
    </SendForm>
  )
}

/** The customer gets the link: its bearer may enter a card for the subscription. */
const CardLink = ({ link }: { link: string }) => (
  <div class="form">
    <p>Send this link to the customer:</p>
    <p class="secret">
      <code>{link}</code> <CopyButton text={link} label="Copy the link" />
    </p>
  </div>
)

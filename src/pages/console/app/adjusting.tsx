import type { Json } from './calls.ts'
import { callApi } from './calls.ts'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import { groupedDecimal } from './moments.ts'
import { Dialog, Facts } from './parts.tsx'
import { useState } from './ui.ts'

/** Gives or takes credits by hand: the result is shown first, and sent once. */
export function AdjustDialog({
  path,
  type,
  credit,
  close,
  done,
}: {
  path: string
  type: 'credit' | 'debit'
  credit: Json
  close: () => void
  done: () => void
}) {
  const [wanted, setWanted] = useState<Entered | null>(null)
  // The same key for every try of this dialog: a lost answer adjusts nothing twice.
  const [key] = useState(() => crypto.randomUUID())
  const look = async (entered: Entered) => {
    if (!/^\d+(\.\d+)?$/.test(entered['amount'] ?? '') || Number(entered['amount']) <= 0) {
      throw new Error('The amount must be a number above 0, such as 25 or 0.5.')
    }
    setWanted(entered)
  }
  const send = async () => {
    const { amount = '', reason = '' } = wanted ?? {}
    const body = { amount, entry_type: type, reason: reason || null, idempotency_key: key }
    await callApi('POST', path, body)
    done()
  }
  const title = titles[type]
  return (
    <Dialog title={title} close={close}>
      {wanted === null ? (
        <SendForm label="Show the result first" send={look}>
          <FormField
            label={`Amount, in ${credit['unit']}`}
            name="amount"
            inputMode="decimal"
            required
          />
          <FormField label="Reason" name="reason" hint="It stands in the ledger." maxLength={500} />
        </SendForm>
      ) : (
        <Result
          type={type}
          credit={credit}
          wanted={wanted}
          send={send}
          back={() => setWanted(null)}
        />
      )}
    </Dialog>
  )
}

interface ResultNeeds {
  readonly type: 'credit' | 'debit'
  readonly credit: Json
  readonly wanted: Entered
  readonly send: () => Promise<void>
  readonly back: () => void
}

function Result({ type, credit, wanted, send, back }: ResultNeeds) {
  const [amount, before] = [wanted['amount'] ?? '0', String(credit['balance'])]
  const title = titles[type]
  return (
    <SendForm label={title} send={send} danger={type === 'debit'} back={back}>
      <Facts
        of={[
          ['Balance now', groupedDecimal(before)],
          [title, `${type === 'credit' ? '+' : '−'}${groupedDecimal(amount)}`],
          ['Balance then', groupedDecimal(summed(before, amount, type === 'credit' ? 1n : -1n))],
          ['Reason', wanted['reason'] || '–'],
        ]}
      />
    </SendForm>
  )
}

const titles = { credit: 'Give credits', debit: 'Take credits' } as const

/** Exactly: decimal text is no number. */
function summed(a: string, b: string, sign: 1n | -1n): string {
  const places = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0))
  const total = scaled(a, places) + sign * scaled(b, places)
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0')
  const units = digits.slice(0, digits.length - places)
  const rest = places === 0 ? '' : `.${digits.slice(-places)}`
  return `${total < 0n ? '-' : ''}${units}${rest}`
}

function scaled(text: string, places: number): bigint {
  const [units = '0', rest = ''] = text.split('.')
  return BigInt(`${units}${rest.padEnd(places, '0')}`)
}

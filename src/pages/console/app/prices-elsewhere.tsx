import { AskButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath } from './calls.ts'
import { Few } from './few.tsx'
import { FormField } from './forms.tsx'
import { column } from './kind.ts'
import { majorText, minorUnits } from './money.ts'

interface LocalizedNeeds {
  readonly mode: ShownMode
  readonly id: string
  readonly row: Json
  readonly isOwner: boolean
}

/** What a product costs in other markets, in place of its own price. */
export function PricesElsewhere({ mode, id, row, isOwner }: LocalizedNeeds) {
  const path = `/products/${encodeURIComponent(id)}/localized-prices`
  const by = row['pricing_mode']
  if (by === null) return null
  return (
    <Few
      mode={mode}
      title="Localized prices"
      path={path}
      id="id"
      none={`None: the product costs the same ${by === 'by_country' ? 'in every country' : 'in every currency'}.`}
      columns={[
        ...(by === 'by_country' ? [column('Country', 'country_code')] : []),
        column('Currency', 'currency'),
        column('Amount', 'amount', { money: 'currency' }),
        column('Id', 'id', 'id'),
        column('Since', 'created_at', 'when'),
      ]}
      head={
        isOwner
          ? (again) => (
              <NewPrice path={apiPath(mode, path)} byCountry={by === 'by_country'} again={again} />
            )
          : undefined
      }
      acts={
        isOwner
          ? (price, again) => (
              <PriceActs path={apiPath(mode, `${path}/${price['id']}`)} row={price} again={again} />
            )
          : undefined
      }
    />
  )
}

interface NewPriceNeeds {
  readonly path: string
  readonly byCountry: boolean
  readonly again: () => void
}

const NewPrice = ({ path, byCountry, again }: NewPriceNeeds) => (
  <AskButton
    label="Add a price"
    method="POST"
    path={path}
    says="Buyers there are asked for it from now on; what was bought stays as it is."
    fields={
      <>
        {byCountry && (
          <FormField
            label="Country"
            name="country"
            required
            pattern="[A-Z]{2}"
            hint="Its two letters, such as DE."
          />
        )}
        <FormField
          label="Currency"
          name="currency"
          required
          pattern="[A-Z]{3}"
          hint="Its three letters, such as EUR."
        />
        <FormField label="Amount" name="amount" inputMode="decimal" required />
      </>
    }
    body={({ amount = '', country, currency = '' }) => ({
      amount: minorUnits(amount, currency, 'The amount'),
      currency,
      ...(byCountry ? { country_code: country } : {}),
    })}
    done={again}
  />
)

function PriceActs({ path, row, again }: { path: string; row: Json; again: () => void }) {
  const currency = String(row['currency'])
  return (
    <span class="actions">
      <AskButton
        label="Change"
        method="PATCH"
        path={path}
        says="Buyers there are asked for it from now on; what was bought stays as it is."
        fields={
          <FormField
            label={`Amount, in ${currency}`}
            name="amount"
            inputMode="decimal"
            required
            defaultValue={majorText(Number(row['amount']), currency)}
          />
        }
        body={({ amount = '' }) => ({ amount: minorUnits(amount, currency, 'The amount') })}
        done={again}
      />
      <AskButton
        label="Remove"
        method="DELETE"
        path={path}
        says="Buyers there are asked for the product’s own price again."
        danger
        done={again}
      />
    </span>
  )
}

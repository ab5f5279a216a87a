import { AskButton } from './acts.tsx'
import { apiPath } from './calls.ts'
import type { FewNeeds } from './few.tsx'
import { Few } from './few.tsx'
import { FormField } from './forms.tsx'
import { Groups } from './groups.tsx'
import { ImageButton, ShownImage } from './image.tsx'
import { column } from './kind.ts'
import type { KindPageNeeds } from './kind-page.tsx'
import { KindPage } from './kind-page.tsx'
import { PricesElsewhere } from './prices-elsewhere.tsx'
import { ProductFacts } from './product-facts.tsx'
import { LinksOfProduct } from './product-links.tsx'

type OwnNeeds = Pick<KindPageNeeds, 'place' | 'kind' | 'me'>

/** A product, an add-on, a brand or a collection: its image, and what stands below it. */
export function CatalogPage({ place, kind, me }: OwnNeeds) {
  const { mode, steps } = place
  const [step = '', id = ''] = steps
  const isOwner = me.role === 'owner'
  const of = { mode, step, id }
  return (
    <KindPage
      place={place}
      kind={kind}
      me={me}
      acts={(row, again) => isOwner && <ImageButton {...of} row={row} again={again} />}
      below={(row, again) => (
        <>
          <ShownImage mode={mode} row={row} />
          {step === 'product-collections' && (
            <Groups mode={mode} row={row} again={again} isOwner={isOwner} />
          )}
          {step === 'products' && (
            <>
              <ProductFacts mode={mode} row={row} />
              <PricesElsewhere mode={mode} id={id} row={row} isOwner={isOwner} />
              <LinksOfProduct mode={mode} id={id} isOwner={isOwner} />
            </>
          )}
        </>
      )}
      isOpen={step !== 'product-collections' && step !== 'products'}
    />
  )
}

/** What a product brings besides credits, and whom it was given to. */
export function EntitlementPage(of: OwnNeeds) {
  const { mode, steps } = of.place
  const path = `/entitlements/${encodeURIComponent(steps[1] ?? '')}/grants`
  const acts: FewNeeds['acts'] = (row, again) =>
    row['status'] !== 'revoked' && (
      <AskButton
        label="Revoke"
        method="DELETE"
        path={apiPath(mode, `${path}/${row['id']}`)}
        says="The customer loses it at once."
        danger
        done={again}
      />
    )
  return (
    <PageWithFew
      {...of}
      title="Grants"
      path={path}
      id="id"
      none="Nobody has it yet: it comes with a product that brings it."
      columns={[
        column('Customer', 'customer_id', 'id'),
        column('Status', 'status', 'state'),
        column('Payment', 'payment_id', 'id'),
        column('Subscription', 'subscription_id', 'id'),
        column('Granted', 'created_at', 'when'),
      ]}
      acts={of.me.role === 'owner' ? acts : undefined}
    />
  )
}

/** A license key, and where it is in use. */
export const LicensePage = (of: OwnNeeds) => (
  <PageWithFew
    {...of}
    title="Activations"
    path="/license_key_instances"
    query={{ license_key_id: of.place.steps[1] ?? '' }}
    id="id"
    none="No program has been activated with it."
    columns={[
      column('Name', 'name'),
      column('Id', 'id', 'id'),
      column('Since', 'created_at', 'when'),
    ]}
  />
)

/** A credit entitlement, and who holds credits under it. */
export const CreditPage = (of: OwnNeeds) => (
  <PageWithFew
    {...of}
    title="Balances"
    path={`/credit-entitlements/${encodeURIComponent(of.place.steps[1] ?? '')}/balances`}
    id="customer_id"
    columns={[
      column('Customer', 'customer_id', 'id'),
      column('Balance', 'balance', 'number'),
      column('Overage', 'overage', 'number'),
      column('Last moved', 'last_transaction_at', 'when'),
    ]}
  />
)

/** A discount, and the customers that were given it. */
export function DiscountPage(of: OwnNeeds) {
  const { mode, steps } = of.place
  const path = `/discounts/${encodeURIComponent(steps[1] ?? '')}/customers`
  const isOwner = of.me.role === 'owner'
  const acts: FewNeeds['acts'] = (row, again) => (
    <AskButton
      label="Take away"
      method="DELETE"
      path={apiPath(mode, `${path}/${encodeURIComponent(String(row['customer_id']))}`)}
      says="The customer has it no more by name; what it took off stays."
      danger
      done={again}
    />
  )
  return (
    <PageWithFew
      {...of}
      title="Customers"
      path={path}
      id="customer_id"
      none="It was given to nobody by name."
      columns={[
        column('Name', 'name'),
        column('E-mail address', 'email'),
        column('Id', 'customer_id', 'id'),
      ]}
      head={
        isOwner ? (again) => <GiveButton path={apiPath(mode, path)} again={again} /> : undefined
      }
      acts={isOwner ? acts : undefined}
    />
  )
}

const GiveButton = ({ path, again }: { path: string; again: () => void }) => (
  <AskButton
    label="Give it to a customer"
    method="POST"
    path={path}
    says="Where it is for some customers alone, this one may use it."
    fields={<FormField label="Customer" name="customer" required hint="The id, such as cus_…" />}
    body={({ customer }) => ({ customer_ids: [customer] })}
    done={again}
  />
)

/** A thing, all that the API says of it, and a few of what belongs to it. */
const PageWithFew = ({ place, kind, me, ...few }: OwnNeeds & Omit<FewNeeds, 'mode'>) => (
  <KindPage
    place={place}
    kind={kind}
    me={me}
    below={() => <Few mode={place.mode} {...few} />}
    isOpen
  />
)

import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import { apiPath } from './calls.ts'
import {
  CatalogPage,
  CreditPage,
  DiscountPage,
  EntitlementPage,
  LicensePage,
} from './catalog-pages.tsx'
import { ClockPage } from './clock-page.tsx'
import { CustomerPage } from './customer-page.tsx'
import { EventPage } from './event-page.tsx'
import { EventsPage } from './events-page.tsx'
import { KeysPage } from './keys-page.tsx'
import type { ResourceKind } from './kind.ts'
import { namedOne } from './kind.ts'
import { KindPage } from './kind-page.tsx'
import { resourceKindOf } from './kinds.ts'
import { LimitsPage } from './limits-page.tsx'
import { ListPage } from './list-page.tsx'
import type { Me } from './me.ts'
import { MeterCreatePage } from './meter-create.tsx'
import { DisputePage, RefundPage } from './money-pages.tsx'
import { OverviewPage } from './overview-page.tsx'
import { Heading } from './parts.tsx'
import { PaymentPage } from './payment-page.tsx'
import { PayoutPage } from './payout-page.tsx'
import { SubscriptionPage } from './subscription-page.tsx'
import type { Children } from './ui.ts'
import { useState } from './ui.ts'
import { WebhookPage } from './webhook-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'
import { WhyPage } from './why-page.tsx'
import { WriteDialog } from './write-form.tsx'
import { writingOf } from './writings.ts'
import { YouPage } from './you-page.tsx'

/** The page of a place: another one for each mode, so that nothing is carried over. */
export function pageAt(place: ConsolePlace, me: Me, again: () => void): Children {
  const { mode, steps } = place
  const key = `${mode}/${steps.join('/')}`
  const isOne = steps[1] !== undefined
  switch (steps[0] ?? '') {
    case '':
      return <OverviewPage key={key} place={place} me={me} />
    case 'events':
      return isOne ? (
        <EventPage key={key} place={place} me={me} />
      ) : (
        <EventsPage key={key} place={place} />
      )
    case 'why':
      return <WhyPage key={key} place={place} />
    case 'keys':
      return <KeysPage key={key} place={place} me={me} />
    case 'webhooks':
      return isOne ? (
        <WebhookPage key={key} place={place} me={me} />
      ) : (
        <WebhooksPage key={key} place={place} me={me} />
      )
    case 'clock':
      return <ClockPage key={key} place={place} me={me} again={again} />
    case 'limits':
      return <LimitsPage key={key} place={place} me={me} />
    case 'you':
      return <YouPage key={key} me={me} again={again} />
    default:
      return <OfKind key={key} place={place} me={me} />
  }
}

function OfKind({ place, me }: { place: ConsolePlace; me: Me }) {
  const [step = '', id] = place.steps
  const kind = resourceKindOf(step)
  if (kind === undefined) {
    return (
      <section>
        <Heading title="There is no such page" lead="The menu has all that there are." />
      </section>
    )
  }
  const isOwner = me.role === 'owner'
  if (id === undefined) {
    return (
      <ListPage
        place={place}
        kind={kind}
        me={me}
        acts={isOwner && <New place={place} kind={kind} />}
      />
    )
  }
  if (step === 'payouts') return <PayoutPage place={place} kind={kind} />
  if (step === 'meters' && id === 'new') return <MeterCreatePage place={place} />
  const Page = pagesOfKinds[step] ?? KindPage
  return <Page place={place} kind={kind} me={me} />
}

const pagesOfKinds: Readonly<Record<string, typeof KindPage | typeof CustomerPage>> = {
  addons: CatalogPage,
  brands: CatalogPage,
  'credit-entitlements': CreditPage,
  customers: CustomerPage,
  discounts: DiscountPage,
  disputes: DisputePage,
  entitlements: EntitlementPage,
  licenses: LicensePage,
  payments: PaymentPage,
  'product-collections': CatalogPage,
  products: CatalogPage,
  refunds: RefundPage,
  subscriptions: SubscriptionPage,
}

/** Makes one more, where people make them. */
function New({ place, kind }: { place: ConsolePlace; kind: ResourceKind }) {
  const [asks, setAsks] = useState(false)
  const fields = writingOf(kind.step)
  if (kind.step === 'meters') return <NewMeter place={place} />
  if (fields === null) return null
  const label = `Create ${namedOne(kind)}`
  return (
    <>
      <button type="button" class="primary" onClick={() => setAsks(true)}>
        {label}
      </button>
      {asks && (
        <WriteDialog
          title={label}
          label="Create it"
          method="POST"
          path={apiPath(place.mode, kind.path)}
          fields={fields}
          row={null}
          close={() => setAsks(false)}
          done={(made) => goTo(hrefOf(place.mode, [kind.step, String(made[kind.id])]))}
        />
      )}
    </>
  )
}

function NewMeter({ place: { mode } }: { place: ConsolePlace }) {
  return (
    <a class="button primary" href={hrefOf(mode, ['meters', 'new'])}>
      Create a meter
    </a>
  )
}

import type { ConsolePlace } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import { Inbox } from './inbox.tsx'
import type { Me } from './me.ts'
import { CsvLink, Dialog, Empty, Failure, Heading, Skeleton, StateBadge, When } from './parts.tsx'
import { RowTable } from './tables.tsx'
import { useState } from './ui.ts'

/** Developer → Webhooks: where the business wants to be told what happens, and what happens now. */
export function WebhooksPage({ place: { mode }, me }: { place: ConsolePlace; me: Me }) {
  const [asks, setAsks] = useState(false)
  const path = apiPath(mode, '/webhooks')
  const { data, failure, again } = useLoaded<{ data: readonly Json[] }>(path)
  const create = async ({ url, description }: Entered) => {
    const made = await callApi('POST', path, { url, description: description || null })
    goTo(hrefOf(mode, ['webhooks', String(made['id'])]))
  }
  return (
    <section>
      <Heading title="Webhooks" lead="Signed messages about what happens, to addresses of yours.">
        <CsvLink href={apiPath(mode, '/export/webhooks')} name="webhooks" />
        {me.role === 'owner' && (
          <button type="button" class="primary" onClick={() => setAsks(true)}>
            Add an endpoint
          </button>
        )}
      </Heading>
      {failure !== null && <Failure failure={failure} again={again} />}
      {failure === null && data === null && <Skeleton lines={4} />}
      {data !== null && <Endpoints mode={mode} endpoints={data.data} />}
      <Inbox mode={mode} title="Happening now">
        <Empty
          title="Nothing since you came here"
          command={`npm run -s sluice -- listen --business ${me.business_id}`}
        >
          Send an event, pay, or give credits: it shows here at once, and in a terminal by this.
        </Empty>
      </Inbox>
      {asks && (
        <Dialog title={`An endpoint of ${mode} mode`} close={() => setAsks(false)}>
          <SendForm label="Add it" send={create}>
            <FormField
              label="Address"
              name="url"
              type="url"
              required
              hint="In test mode it may be on this machine, such as http://127.0.0.1:3000/hooks."
            />
            <FormField label="Description" name="description" maxLength={255} />
          </SendForm>
        </Dialog>
      )}
    </section>
  )
}

function Endpoints({ mode, endpoints }: { mode: 'test' | 'live'; endpoints: readonly Json[] }) {
  if (endpoints.length === 0) {
    return (
      <Empty title="No endpoint yet">
        What happens is shown below all the same, and by <code>sluice listen</code>.
      </Empty>
    )
  }
  return (
    <RowTable
      rows={endpoints}
      keyOf={(one) => String(one['id'])}
      columns={[
        {
          head: 'Address',
          kind: 'text',
          cell: (one) => (
            <a href={hrefOf(mode, ['webhooks', String(one['id'])])}>{String(one['url'])}</a>
          ),
        },
        { head: 'Description', kind: 'text', cell: (one) => String(one['description'] || '–') },
        {
          head: 'State',
          cell: (one) => (
            <StateBadge>{one['disabled'] === true ? 'disabled' : 'enabled'}</StateBadge>
          ),
        },
        { head: 'Created', cell: (one) => <When at={one['created_at']} /> },
      ]}
    />
  )
}

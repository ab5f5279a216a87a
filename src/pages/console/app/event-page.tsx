import type { ConsolePlace } from './address.ts'
import { hrefOf } from './address.ts'
import { apiPath, callApi } from './calls.ts'
import { EventLife } from './event-life.tsx'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import type { Me } from './me.ts'
import { CopyButton, Dialog, Heading } from './parts.tsx'
import { useState } from './ui.ts'

/** One event: its life, and taking it out of usage. */
export function EventPage({ place: { mode, steps }, me }: { place: ConsolePlace; me: Me }) {
  const id = steps[1] ?? ''
  const [asks, setAsks] = useState(false)
  const [turn, setTurn] = useState(0)
  const [isCounted, setCounted] = useState(false)
  const send = async ({ reason }: Entered) => {
    await callApi('POST', apiPath(mode, `/events/${encodeURIComponent(id)}/void`), { reason })
    setAsks(false)
    setTurn(turn + 1)
  }
  return (
    <section>
      <p class="way">
        <a href={hrefOf(mode, ['events'])}>Events</a>
      </p>
      <Heading
        title="Event"
        lead={
          <span class="row">
            <code>{id}</code> <CopyButton text={id} label="Copy the id" />
          </span>
        }
      >
        {me.role === 'owner' && isCounted && (
          <button type="button" onClick={() => setAsks(true)}>
            Void it
          </button>
        )}
      </Heading>
      <EventLife key={turn} mode={mode} id={id} counts={setCounted} />
      {asks && (
        <Dialog title="Void this event?" close={() => setAsks(false)}>
          <p>It leaves usage for good, and what it took is given back.</p>
          <SendForm label="Void it" send={send} danger>
            <FormField label="Reason" name="reason" required maxLength={500} />
          </SendForm>
        </Dialog>
      )}
    </section>
  )
}

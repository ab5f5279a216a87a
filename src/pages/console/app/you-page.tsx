import type { Json } from './calls.ts'
import { callApi, consolePath, useLoaded } from './calls.ts'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import type { Me } from './me.ts'
import { CsvLink, Facts, Failure, Heading, Skeleton, When } from './parts.tsx'
import { useState } from './ui.ts'

/** Who is logged in, the password, and where else. */
export function YouPage({ me, again }: { me: Me; again: () => void }) {
  const logOut = async () => {
    await callApi('POST', consolePath('/log-out')).catch(() => undefined)
    again()
  }
  return (
    <section>
      <Heading title={me.name ?? me.email} lead={me.business_name}>
        <button type="button" onClick={logOut}>
          Log out
        </button>
      </Heading>
      <Facts
        of={[
          ['E-mail address', me.email],
          ['Role', me.role === 'owner' ? 'Owner: may change everything' : 'Viewer: may look'],
          ['Business', <code key="b">{me.business_id}</code>],
        ]}
      />
      <header class="heading">
        <h2>Where you are logged in</h2>
        <CsvLink href={consolePath('/sessions/csv')} name="sessions" />
      </header>
      <Sessions />
      <h2>Another password</h2>
      <OtherPassword />
    </section>
  )
}

function Sessions() {
  const { data, failure, again } = useLoaded<{ items: readonly Json[] }>(consolePath('/sessions'))
  if (failure !== null) return <Failure failure={failure} again={again} />
  if (data === null) return <Skeleton lines={2} />
  const end = async (id: unknown) => {
    await callApi('DELETE', consolePath(`/sessions/${id}`))
    again()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard, too.
    <section class="wide" aria-label="Sessions" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Browser</th>
            <th>Since</th>
            <th>Last seen</th>
            <th>
              <span class="sr">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((one) => (
            <tr key={String(one['session_id'])}>
              <td class="text">{String(one['browser']) || 'unknown'}</td>
              <td>
                <When at={one['created_at']} />
              </td>
              <td>
                <When at={one['seen_at']} relative />
              </td>
              <td class="end">
                {one['this_one'] === true ? (
                  <span class="state good">this one</span>
                ) : (
                  <button type="button" class="quiet" onClick={() => end(one['session_id'])}>
                    End
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function OtherPassword() {
  const [done, setDone] = useState(false)
  const send = async ({ current, next }: Entered) => {
    await callApi('POST', consolePath('/password'), { current, next })
    setDone(true)
  }
  if (done) return <p role="status">Changed. All your other sessions are over.</p>
  return (
    <SendForm label="Change the password" send={send}>
      <FormField
        label="The present one"
        name="current"
        type="password"
        autoComplete="current-password"
        required
      />
      <FormField
        label="The next one"
        name="next"
        type="password"
        autoComplete="new-password"
        minLength={12}
        required
        hint="12 characters or more. It ends all your other sessions."
      />
    </SendForm>
  )
}

import { goTo } from './address.ts'
import type { Refused } from './calls.ts'
import { callApi, consolePath, forgetLately } from './calls.ts'
import type { Entered } from './forms.tsx'
import { FormField, SendForm } from './forms.tsx'
import { Failure, Skeleton } from './parts.tsx'
import { useEffect, useState } from './ui.ts'

/** The page on which somebody logs in. `then` loads who it is. */
export function LogInPage({ then, over }: { then: () => void; over: boolean }) {
  const send = async ({ email, password }: Entered) => {
    await callApi('POST', consolePath('/log-in'), { email, password })
    forgetLately()
    then()
  }
  return (
    <main class="alone" id="content">
      <h1>Sluice</h1>
      <p class="lead">
        {over ? 'That session is over. Log in to go on where you were.' : 'Log in to the console.'}
      </p>
      <SendForm label="Log in" send={send}>
        <FormField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          autofocus
        />
        <FormField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </SendForm>
      <p class="note">
        Somebody who runs the server lets people in:{' '}
        <code>npm run -s sluice -- users create --business ID --email ADDRESS</code>
      </p>
    </main>
  )
}

interface SetupAnswer {
  readonly email: string
  readonly name: string | null
}

/** Where the link of `users create` leads: the password is chosen, once. */
export function SetupPage({ then }: { then: () => void }) {
  const word = location.hash.slice(1)
  const [whose, setWhose] = useState<SetupAnswer | null>(null)
  const [failure, setFailure] = useState<Refused | null>(null)
  useEffect(() => {
    callApi<SetupAnswer>('POST', consolePath('/setup/look'), { word: word || '-' }).then(
      setWhose,
      setFailure,
    )
  }, [])
  const send = async ({ password, again }: Entered) => {
    if (password !== again) throw new Error('The two passwords differ.')
    await callApi('POST', consolePath('/setup'), { word, password })
    forgetLately()
    goTo('/console/test', 'replace')
    then()
  }
  return (
    <main class="alone" id="content">
      <h1>Welcome to Sluice</h1>
      {failure !== null && <Failure failure={failure} />}
      {whose === null && failure === null && <Skeleton lines={3} />}
      {whose !== null && (
        <SendForm label="Choose this password" send={send}>
          <p class="lead">Choose a password. You log in as {whose.email}.</p>
          <input type="hidden" name="username" autoComplete="username" value={whose.email} />
          <FormField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={12}
            maxLength={200}
            required
            autofocus
            hint="12 characters or more; several words are easier to remember."
          />
          <FormField
            label="The same again"
            name="again"
            type="password"
            autoComplete="new-password"
            required
          />
        </SendForm>
      )}
    </main>
  )
}

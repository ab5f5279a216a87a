import { followLinks, rawSteps, usePlace } from './address.ts'
import { callApi, consolePath, Refused, whenLoggedOut } from './calls.ts'
import { LogInPage, SetupPage } from './entering.tsx'
import { ConsoleFrame } from './frame.tsx'
import type { Me } from './me.ts'
import { pageAt } from './pages.tsx'
import { Failure, Skeleton } from './parts.tsx'
import { chooseTheme, themeNow } from './theme.ts'
import { render, useEffect, useState } from './ui.ts'

type Standing =
  | { readonly kind: 'asking' }
  | { readonly kind: 'out'; readonly over: boolean }
  | { readonly kind: 'in'; readonly me: Me }
  | { readonly kind: 'failed'; readonly failure: Refused }

function Console() {
  const [standing, setStanding] = useState<Standing>({ kind: 'asking' })
  const place = usePlace()
  const [first] = rawSteps()
  const look = () => {
    callApi<Me>('GET', consolePath('/me')).then(
      (me) => setStanding({ kind: 'in', me }),
      (error: unknown) => {
        const failure = error instanceof Refused ? error : new Refused(0, {})
        const isOut = failure.status === 401
        setStanding(isOut ? { kind: 'out', over: false } : { kind: 'failed', failure })
      },
    )
  }
  useEffect(() => {
    whenLoggedOut(() => setStanding((was) => ({ kind: 'out', over: was.kind === 'in' })))
    look()
  }, [])
  if (first === 'setup') return <SetupPage then={look} />
  switch (standing.kind) {
    case 'asking':
      return (
        <main class="alone">
          <Skeleton />
        </main>
      )
    case 'out':
      return <LogInPage then={look} over={standing.over} />
    case 'failed':
      return (
        <main class="alone">
          <h1>Sluice</h1>
          <Failure failure={standing.failure} again={look} />
        </main>
      )
    case 'in':
      return (
        <ConsoleFrame me={standing.me} place={place}>
          {pageAt(place, standing.me, look)}
        </ConsoleFrame>
      )
  }
}

chooseTheme(themeNow())
followLinks()
const app = document.getElementById('app')
if (app !== null) render(<Console />, app)

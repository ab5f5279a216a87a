import type { ShownMode } from './address.ts'
import { apiPath } from './calls.ts'
import { When } from './parts.tsx'
import { eventsOf } from './streams.ts'
import type { Children } from './ui.ts'
import { useEffect, useState } from './ui.ts'
import { ShownJson } from './values.tsx'

interface Told {
  readonly id: string
  readonly type: string
  readonly envelope: unknown
  readonly at: string
}

const keptMax = 50

/** What happens, as it happens, whether or not an endpoint is there: as `sluice listen` has it. */
export function Inbox({
  mode,
  title,
  children,
}: {
  mode: ShownMode
  title: string
  /** What stands here until something has happened. */
  children: Children
}) {
  const [told, setTold] = useState<readonly Told[]>([])
  const [follows, setFollows] = useState(true)
  useEffect(() => {
    if (!follows) return
    return eventsOf(apiPath(mode, '/webhooks/stream'), ({ id, event, data }) => {
      if (event === '' || data === '') return
      const one = { id, type: event, envelope: readJson(data), at: new Date(nowMs()).toISOString() }
      setTold((before) => [one, ...before].slice(0, keptMax))
    })
  }, [mode, follows])
  return (
    <div class="inbox">
      <h2 class="row">
        {title}
        <button type="button" class="quiet" onClick={() => setFollows(!follows)}>
          {follows ? 'Pause' : 'Go on'}
        </button>
      </h2>
      {told.length === 0
        ? children
        : told.map((one) => (
            <details key={one.id}>
              <summary>
                <code>{one.type}</code> <When at={one.at} relative />
              </summary>
              <ShownJson mode={mode} value={one.envelope} />
            </details>
          ))}
    </div>
  )
}

const nowMs = (): number => performance.timeOrigin + performance.now()

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import type { Json, Method } from './calls.ts'
import { callApi } from './calls.ts'
import type { Entered } from './forms.tsx'
import { SendForm } from './forms.tsx'
import { Dialog } from './parts.tsx'
import type { Children } from './ui.ts'
import { useState } from './ui.ts'

/** A button that asks in a dialog before anything is done. */
export function ActButton({
  label,
  danger = false,
  children,
}: {
  label: string
  danger?: boolean
  /** What the dialog shows; it calls `close` when it is over. */
  children: (close: () => void) => Children
}) {
  const [asks, setAsks] = useState(false)
  const close = () => setAsks(false)
  return (
    <>
      <button type="button" class={danger ? 'harm' : undefined} onClick={() => setAsks(true)}>
        {label}
      </button>
      {asks && children(close)}
    </>
  )
}

/** A button that acts at once, and says why it could not. */
export function TryButton({ label, act }: { label: string; act: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const press = async () => {
    setBusy(true)
    setWrong(null)
    await act().catch((error: unknown) => setWrong(String((error as Error).message)))
    setBusy(false)
  }
  return (
    <>
      <button type="button" class="quiet" onClick={press} disabled={busy}>
        {label}
      </button>
      {wrong !== null && (
        <span class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </>
  )
}

export interface AskedAct {
  readonly label: string
  readonly method: Method
  readonly path: string
  /** What happens then. */
  readonly says: Children
  readonly danger?: boolean
  /** Fields of the form; absent: none. */
  readonly fields?: Children
  /** The body of the call; absent: it has none. */
  readonly body?: (entered: Entered) => unknown
  readonly done: (answer: Json) => void
}

/** A call that is asked for first, with what it does. */
export function AskButton({ body, danger = false, done, fields, says, ...act }: AskedAct) {
  return (
    <ActButton label={act.label} danger={danger}>
      {(close) => (
        <Dialog title={act.label} close={close}>
          <p>{says}</p>
          <SendForm
            label={act.label}
            danger={danger}
            send={async (entered) => {
              const answer = await callApi(act.method, act.path, body?.(entered))
              close()
              done(answer)
            }}
          >
            {fields}
          </SendForm>
        </Dialog>
      )}
    </ActButton>
  )
}

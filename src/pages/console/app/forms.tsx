import { Refused } from './calls.ts'
import type { Children, JSX, Submitted } from './ui.ts'
import { useState } from './ui.ts'

/** One line of a form. `hint` says what would be right. */
export function FormField({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & JSX.IntrinsicElements['input']) {
  return (
    <label class="field">
      <span>{label}</span>
      <input autoComplete="off" {...input} />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  )
}

export function Choice({
  label,
  options,
  hint,
  ...select
}: {
  label: string
  options: readonly (readonly [value: string, shown: string])[]
  hint?: string
} & JSX.IntrinsicElements['select']) {
  return (
    <label class="field">
      <span>{label}</span>
      <select {...select}>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
      {hint !== undefined && <small>{hint}</small>}
    </label>
  )
}

export type Entered = Readonly<Record<string, string>>

/** A form that says why it was refused, and cannot be sent twice. */
export function SendForm({
  label,
  send,
  children,
  danger = false,
  back = null,
}: {
  label: string
  send: (entered: Entered, files: readonly File[]) => Promise<unknown>
  children?: Children
  danger?: boolean
  /** Leads back to what was entered before; null: nothing was. */
  back?: (() => void) | null
}) {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Refused | null>(null)
  const submit = async (event: Submitted<HTMLFormElement>) => {
    event.preventDefault()
    const entered = enteredIn(event.currentTarget)
    const files = filesIn(event.currentTarget)
    setBusy(true)
    setWrong(null)
    try {
      await send(entered, files)
    } catch (error) {
      setWrong(error instanceof Refused ? error : new Refused(0, { message: told(error) }))
    }
    setBusy(false)
  }
  return (
    <form class="form" onSubmit={submit} noValidate={false}>
      {children}
      {wrong !== null && (
        <p class="wrong" role="alert">
          {wrong.message}
        </p>
      )}
      <p class="sends">
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={busy}>
          {busy ? 'One moment …' : label}
        </button>
        {back !== null && (
          <button type="button" onClick={back} disabled={busy}>
            Back
          </button>
        )}
      </p>
    </form>
  )
}

const filesIn = (form: HTMLFormElement): readonly File[] =>
  [...new FormData(form).values()].filter(
    (value): value is File => value instanceof File && value.size > 0,
  )

const told = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function enteredIn(form: HTMLFormElement): Entered {
  const entered: Record<string, string> = {}
  new FormData(form).forEach((value, name) => {
    if (typeof value !== 'string') return
    // A password may begin with a blank.
    const isSecret = form.querySelector(`[name="${CSS.escape(name)}"][type=password]`) !== null
    entered[name] = isSecret ? value : value.trim()
  })
  return entered
}

import type { Json, Method } from './calls.ts'
import { callApi } from './calls.ts'
import { Choice, FormField, SendForm } from './forms.tsx'
import { zoneName } from './moments.ts'
import { Dialog } from './parts.tsx'
import { useState } from './ui.ts'
import type { WrittenField } from './written.ts'
import { fieldsNow, moreName, shownInField, writtenBody } from './written.ts'

export interface WriteNeeds {
  readonly title: string
  readonly label: string
  readonly method: Method
  readonly path: string
  readonly fields: readonly WrittenField[]
  /** As it is; null: it is being made. */
  readonly row: Json | null
  readonly close: () => void
  readonly done: (answer: Json) => void
}

/** Makes or changes a thing: what has a field of its own by it, and all else as JSON. */
export function WriteDialog({ title, label, method, path, row, close, done, ...of }: WriteNeeds) {
  const fields = of.fields.filter(({ once }) => row === null || once !== true)
  const [entered, setEntered] = useState(() =>
    Object.fromEntries(
      fields.map((field) => [
        field.name,
        row === null ? (field.initially ?? '') : shownInField(field, row),
      ]),
    ),
  )
  const change = ({ target }: Event) => {
    if (!isEntry(target)) return
    setEntered({ ...entered, [target.name]: target.value })
  }
  const send = async () => {
    const body = writtenBody(fields, entered, row)
    if (row !== null && Object.keys(body).length === 0) throw new Error('Nothing is changed yet.')
    done(await callApi(method, path, body))
  }
  return (
    <Dialog title={title} close={close}>
      <div onInput={change}>
        <SendForm label={label} send={send}>
          {fieldsNow(fields, entered).map((field) => (
            <EntryField key={field.name} field={field} value={entered[field.name] ?? ''} />
          ))}
          <details>
            <summary>More, as JSON</summary>
            <label class="field">
              <span class="sr">More, as JSON</span>
              <textarea
                name={moreName}
                rows={4}
                spellcheck={false}
                placeholder='{"metadata": {}}'
              />
              <small>Whatever else the API takes here. It wins over the fields above.</small>
            </label>
          </details>
        </SendForm>
      </div>
    </Dialog>
  )
}

type Entry = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isEntry = (target: EventTarget | null): target is Entry =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement

function EntryField({ field, value }: { field: WrittenField; value: string }) {
  const { as, hint, label, name, required = false } = field
  const told = hint === undefined ? {} : { hint }
  const choices = choicesOf(field)
  if (choices !== null) {
    const options = required ? choices : [['', '–'] as const, ...choices]
    return <Choice label={label} name={name} options={options} value={value} {...told} />
  }
  if (as === 'long' || as === 'json') {
    return (
      <label class="field">
        <span>{label}</span>
        <textarea name={name} rows={as === 'json' ? 5 : 3} required={required} value={value} />
        {hint !== undefined && <small>{hint}</small>}
      </label>
    )
  }
  if (as === 'moment') {
    return (
      <FormField
        label={label}
        name={name}
        required={required}
        type="datetime-local"
        step={1}
        value={value}
        hint={`In ${zoneName}.`}
      />
    )
  }
  const inputMode =
    as === 'count' ? 'numeric' : as === 'decimal' || as === 'taken' || typeof as === 'object'
  return (
    <FormField
      label={label}
      name={name}
      required={required}
      value={value}
      inputMode={inputMode === true ? 'decimal' : inputMode === false ? 'text' : inputMode}
      {...told}
    />
  )
}

function choicesOf({ as }: WrittenField): readonly (readonly [string, string])[] | null {
  if (as === 'flag') {
    return [
      ['true', 'yes'],
      ['false', 'no'],
    ]
  }
  if (typeof as !== 'object' || !('choice' in as)) return null
  return as.choice.map((one) => [one, one.replaceAll('_', ' ')])
}

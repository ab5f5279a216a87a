import type { ShownMode } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import { isOfMoney, placeOfId } from './ids.ts'
import { allRooms } from './rooms.ts'
import type { KeyPress } from './ui.ts'
import { useLayoutEffect, useRef, useState } from './ui.ts'

interface Way {
  readonly title: string
  readonly hint: string
  readonly go: () => void
}

/** A box that leads everywhere: `/` or Ctrl-K opens it. Any id leads to its page, or to its why. */
export function Palette({
  mode,
  close,
  others,
}: {
  mode: ShownMode
  close: () => void
  others: readonly Way[]
}) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key comes, else what is typed at once is lost.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const ways = waysOf(mode, text, others)
  const take = (way: Way | undefined) => {
    if (way === undefined) return
    dialog.current?.close()
    way.go()
  }
  const press = (event: KeyPress<HTMLInputElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
    if (step !== undefined) {
      event.preventDefault()
      setAt((at + step + ways.length) % Math.max(1, ways.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(ways[at])
    }
  }
  return (
    <dialog ref={dialog} class="palette" onClose={close} aria-label="Go to">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="ways"
        aria-activedescendant={ways.length > 0 ? `way-${at}` : undefined}
        aria-label="Go to a page, or paste any id"
        placeholder="Go to a page, or paste any id"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
        autofocus
      />
      <WayList ways={ways} at={at} take={take} />
      {ways.length === 0 && <p class="note">Nothing is called that.</p>}
    </dialog>
  )
}

function WayList({
  ways,
  at,
  take,
}: {
  ways: readonly Way[]
  at: number
  take: (way: Way) => void
}) {
  return (
    <div id="ways" class="ways" role="listbox" tabIndex={-1} aria-label="Places">
      {ways.map((way, index) => (
        <div
          key={way.title + way.hint}
          id={`way-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onClick={() => take(way)}
          onKeyDown={(event) => event.key === 'Enter' && take(way)}
        >
          <span>{way.title}</span> <small>{way.hint}</small>
        </div>
      ))}
    </div>
  )
}

function waysOf(mode: ShownMode, text: string, others: readonly Way[]): readonly Way[] {
  const asked = text.trim()
  const low = asked.toLowerCase()
  const rooms = allRooms.map(({ step, title, also = '' }) => ({
    title,
    hint: also,
    go: () => goTo(hrefOf(mode, step === '' ? [] : [step])),
  }))
  const named = [...rooms, ...others].filter(({ title, hint }) =>
    `${title} ${hint}`.toLowerCase().includes(low),
  )
  return isId(asked) ? [...waysOfId(mode, asked), ...named] : named.slice(0, 12)
}

const isId = (text: string): boolean => /^[\w.:-]{6,255}$/.test(text) && /[_\d]/.test(text)

/** Where an id leads, by its beginning; any other may be an event's. */
function waysOfId(mode: ShownMode, id: string): readonly Way[] {
  const place = placeOfId(id)
  const why: Way = { title: 'Why', hint: id, go: () => goTo(hrefOf(mode, ['why', id])) }
  if (place === null) {
    return [{ title: 'Event', hint: id, go: () => goTo(hrefOf(mode, ['events', id])) }, why]
  }
  const { one } = place
  if ('says' in place || !('step' in place)) return [{ ...why, title: one }]
  const { step } = place
  const page: Way = { title: one, hint: id, go: () => goTo(hrefOf(mode, [step, id])) }
  return isOfMoney(id) ? [page, why] : [page]
}

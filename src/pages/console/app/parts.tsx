import type { Refused } from './calls.ts'
import { readersNow, shortTime, sinceThen, wholeTime, zoneName } from './moments.ts'
import type { Children } from './ui.ts'
import { Fragment, useLayoutEffect, useRef, useState } from './ui.ts'

/** A heading with what can be done here; the browser's tabs and history have it, too. */
export function Heading({
  title,
  lead,
  children,
}: {
  title: Children
  lead?: Children
  children?: Children
}) {
  const shown = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${shown.current?.textContent} · Sluice`
  })
  return (
    <header class="heading">
      <div>
        <h1 ref={shown} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  )
}

/** A moment in the reader’s zone, with UTC at hand. */
export function When({ at, relative = false }: { at: unknown; relative?: boolean }) {
  if (typeof at !== 'string') return <span class="none">–</span>
  const title = `${wholeTime(at)} (${zoneName})\n${at}`
  return (
    <time dateTime={at} title={title}>
      {relative ? sinceThen(at, readersNow()) : shortTime(at)}
    </time>
  )
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState<boolean | null>(null)
  const copy = async () => {
    setDone(await copied(text))
    setTimeout(() => setDone(null), 2_000)
  }
  const says = done === null ? label : done ? 'Copied' : 'Select it by hand'
  return (
    <button type="button" class="quiet" onClick={copy} aria-live="polite">
      {says}
    </button>
  )
}

/** Browsers give their clipboard to pages of https and of this machine alone. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

/** A list as a file, with all of its rows. */
export const CsvLink = ({ href, name }: { href: string; name: string }) => (
  <a class="button" href={href} download={`${name}.csv`}>
    Export CSV
  </a>
)

/** A command to paste. */
export function PasteCommand({ children }: { children: string }) {
  return (
    <div class="command">
      <pre>{children}</pre>
      <CopyButton text={children} />
    </div>
  )
}

/** What stands where there is nothing yet: why, and what to do about it. */
export function Empty({
  title,
  children,
  command,
}: {
  title: string
  children?: Children
  command?: string
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <PasteCommand>{command}</PasteCommand>}
    </div>
  )
}

/** A refusal, with what to do. */
export function Failure({ failure, again }: { failure: Refused; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{failure.message}</p>
      <p class="row">
        {again !== undefined && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        {failure.docs !== null && (
          <a href={failure.docs} target="_blank" rel="noreferrer">
            What the manual says
          </a>
        )}
        {failure.code !== '' && <code>{failure.code}</code>}
      </p>
    </div>
  )
}

/** Room for what is being loaded. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

const good = /^(active|dispute_won|succeeded|success|delivered|enabled|won|measured|open)$/
const bad =
  /^(failed|dispute_lost|dispute_expired|expired|lost|cancelled|revoked|voided|declined|disabled)$/

/** The state of something, told by word and colour. */
export function StateBadge({ children }: { children: unknown }) {
  const word = String(children ?? '–')
  const tone = good.test(word) ? 'good' : bad.test(word) ? 'bad' : 'calm'
  return <span class={`state ${tone}`}>{word.replaceAll('_', ' ')}</span>
}

/**
 * A dialog of the browser’s own: it keeps the focus, Escape closes it, and the focus goes back to
 * where it was, however it ends.
 */
export function Dialog({
  title,
  children,
  close,
}: {
  title: string
  children: Children
  close: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => {
      // Another one may stand in its place by now, which this must not close.
      isOver.current = true
      current?.close()
    }
  }, [])
  return (
    <dialog ref={dialog} onClose={() => isOver.current || close()} aria-label={title}>
      <header class="row">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** Names and what they are, one below the other. */
export function Facts({ of }: { of: readonly (readonly [string, Children])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
